-- Why connections ended
-- picture: bars of connections by reason
-- Of connections whose end is in the log.
SELECT coalesce(reason_name, concat('reason ', CAST(reason AS VARCHAR(8)))) AS reason, count(*) AS connections,
  count(DISTINCT capture) AS captures, count(DISTINCT model) AS models,
  round(CAST(100 * count(*) AS DOUBLE) / (SELECT count(*) FROM connections WHERE reason IS NOT NULL), 1) AS percent
FROM connections
WHERE reason IS NOT NULL
GROUP BY coalesce(reason_name, concat('reason ', CAST(reason AS VARCHAR(8))))
ORDER BY connections DESC, reason
