-- Milliseconds that reads and writes take, by characteristic
-- picture: bars of p50_ms, p95_ms, p99_ms by characteristic, operation
-- From the request to the last packet of the answer.
SELECT coalesce(characteristic, uuid_name, uuid, 'unknown') AS characteristic, operation, count(*) AS times,
  round(percentile_cont(0.5) WITHIN GROUP (ORDER BY latency_us) / 1000, 1) AS p50_ms,
  round(percentile_cont(0.95) WITHIN GROUP (ORDER BY latency_us) / 1000, 1) AS p95_ms,
  round(percentile_cont(0.99) WITHIN GROUP (ORDER BY latency_us) / 1000, 1) AS p99_ms
FROM operations
WHERE operation IN ('read', 'write') AND latency_us IS NOT NULL
GROUP BY coalesce(characteristic, uuid_name, uuid, 'unknown'), operation
ORDER BY p99_ms DESC, characteristic, operation
