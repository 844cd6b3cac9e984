-- Connections that failed, by phone model and firmware
-- picture: bars of percent by model, firmware
-- A connection that was asked for and did not come about. One that was still being made when its log ended is not counted.
SELECT model, firmware, count(*) AS connections, sum(CASE WHEN ending <> 'done' THEN 1 ELSE 0 END) AS failed,
  round(CAST(100 * sum(CASE WHEN ending <> 'done' THEN 1 ELSE 0 END) AS DOUBLE) / count(*), 1) AS percent
FROM operations
WHERE operation = 'connect' AND ending <> 'open'
GROUP BY model, firmware
ORDER BY percent DESC, model, firmware
