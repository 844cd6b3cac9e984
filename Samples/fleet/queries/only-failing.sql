-- Messages that only failing sessions have
-- picture: bars of sessions by profile, message
-- A session is a connection; it fails where neither side ended it. What other sessions have too is left out.
WITH sessions AS (
  SELECT c.capture, c.number, m.profile, m.message, m.characteristic, CASE WHEN c.reason IN (19, 20, 21, 22) THEN 0 ELSE 1 END AS has_failed
  FROM connections c JOIN messages m
    ON m.capture = c.capture AND m.connection = c.handle AND coalesce(m.adapter, 65535) = c.adapter
      AND m.time_us BETWEEN c.start_us AND c.end_us
  WHERE c.reason IS NOT NULL AND m.message IS NOT NULL)
SELECT profile, message, characteristic, count(DISTINCT concat(capture, '/', CAST(number AS VARCHAR(20)))) AS sessions,
  count(*) AS messages
FROM sessions
GROUP BY profile, message, characteristic
HAVING sum(1 - has_failed) = 0
ORDER BY sessions DESC, profile, message, characteristic
