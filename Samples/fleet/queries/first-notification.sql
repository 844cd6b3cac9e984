-- Milliseconds from connection to first notification, by phone model
-- picture: bars of p50_ms, p95_ms, p99_ms by model
-- Of each connection in which the device notified or indicated anything.
WITH first_values AS (
  SELECT c.capture, c.number, c.model, min(o.time_us) - min(c.start_us) AS us
  FROM connections c JOIN operations o
    ON o.capture = c.capture AND o.connection = c.handle AND coalesce(o.adapter, 65535) = c.adapter
      AND o.time_us BETWEEN c.start_us AND c.end_us
  WHERE o.operation IN ('notify', 'indicate')
  GROUP BY c.capture, c.number, c.model)
SELECT model, count(*) AS connections,
  round(percentile_cont(0.5) WITHIN GROUP (ORDER BY us) / 1000, 1) AS p50_ms,
  round(percentile_cont(0.95) WITHIN GROUP (ORDER BY us) / 1000, 1) AS p95_ms,
  round(percentile_cont(0.99) WITHIN GROUP (ORDER BY us) / 1000, 1) AS p99_ms
FROM first_values
GROUP BY model
ORDER BY p50_ms DESC, model
