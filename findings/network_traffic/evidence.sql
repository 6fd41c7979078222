WITH usage AS (
  SELECT run_id, seconds, rung FROM system_usage JOIN run USING (run_id)
  WHERE point_id = $point ORDER BY seconds DESC, run_id LIMIT 1),
-- Of a model that XSP runs over and over, the use of the machine is no finding.
program AS (SELECT * FROM usage WHERE rung IN ('recorded', 'monitor', 'imported')),

interfaces AS (
  SELECT part AS interface,
         coalesce(sum(mean * (until_ns - time_ns)) FILTER (name = 'network.received_bytes_per_s'), 0) / 1e9
           AS received_bytes,
         coalesce(sum(mean * (until_ns - time_ns)) FILTER (name = 'network.sent_bytes_per_s'), 0) / 1e9 AS sent_bytes
  FROM system_series JOIN program USING (run_id)
  WHERE name LIKE 'network.%' AND regexp_full_match(part, 'network [^ ]*') GROUP BY part)
-- Interfaces may carry the same bytes one after the other: the busiest alone is reported.
SELECT interface, received_bytes, sent_bytes FROM interfaces
WHERE (SELECT sum(received_bytes + sent_bytes) FROM interfaces) >= $traffic_matters
ORDER BY greatest(received_bytes, sent_bytes) DESC, received_bytes DESC, interface LIMIT 1
