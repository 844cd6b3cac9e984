-- Battery of devices whose connection failed, beside others
-- picture: bars of failed, ended_well by percent
-- The last battery level that the device told in a connection; failed is what neither side ended (0x13 to 0x16 are endings on purpose).
WITH levels AS (
  SELECT c.capture, c.number, CASE WHEN c.reason IN (19, 20, 21, 22) THEN 0 ELSE 1 END AS has_failed,
    CAST(regexp_extract(m.fields, '"value": *([0-9]+)', 1) AS INTEGER) AS level,
    row_number() OVER (PARTITION BY c.capture, c.number ORDER BY m.time_us DESC, m.frame DESC) AS place
  FROM connections c JOIN messages m
    ON m.capture = c.capture AND m.connection = c.handle AND coalesce(m.adapter, 65535) = c.adapter
      AND m.time_us BETWEEN c.start_us AND c.end_us
  WHERE c.reason IS NOT NULL AND m.profile = 'bluetooth-sig' AND m.message = 'battery_level'
    AND regexp_extract(m.fields, '"value": *([0-9]+)', 1) <> '')
SELECT concat(CAST(10 * least(CAST(floor(level / 10) AS INTEGER), 9) AS VARCHAR(4)), ' %') AS percent,
  sum(has_failed) AS failed, sum(1 - has_failed) AS ended_well
FROM levels
WHERE place = 1
GROUP BY least(CAST(floor(level / 10) AS INTEGER), 9)
ORDER BY least(CAST(floor(level / 10) AS INTEGER), 9)
