-- Outliers worth reading
-- picture: bars of times_the_median by model, operation, what
-- What took at least eight times as long as the same does elsewhere, and the command that shows it. How long a discovery takes depends on
-- how much there is: it is left out.
WITH usual AS (
  SELECT operation, coalesce(characteristic, uuid_name, uuid, '') AS what,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY latency_us) AS median_us
  FROM operations
  WHERE latency_us > 0 AND operation IN ('connect', 'mtu', 'read', 'write', 'subscribe', 'pair')
  GROUP BY operation, coalesce(characteristic, uuid_name, uuid, '')
  HAVING count(*) >= 20)
SELECT o.model, o.operation, u.what, round(CAST(o.latency_us AS DOUBLE) / 1000, 1) AS ms,
  round(CAST(o.latency_us AS DOUBLE) / u.median_us, 1) AS times_the_median,
  concat('btscribe ', chr(39), replace(o.path, chr(39), concat(chr(39), chr(92), chr(39), chr(39))), chr(39), ' -Y ', chr(39),
    'frame.number >= ', CAST(o.frame AS VARCHAR(20)), ' && frame.number <= ', CAST(o.end_frame AS VARCHAR(20)), chr(39)) AS command
FROM operations o JOIN usual u
  ON u.operation = o.operation AND u.what = coalesce(o.characteristic, o.uuid_name, o.uuid, '')
WHERE o.latency_us >= 8 * u.median_us
ORDER BY times_the_median DESC, command
LIMIT 50
