-- Collectives by operation, process group, data type and rank, the most time first. Partners have
-- the same last start, which tells groups of one name apart.
WITH placed AS (
  SELECT r.point_id, c.*, c.start_ns + c.duration_ns AS end_ns,
         max(c.start_ns + c.duration_ns) OVER (
           PARTITION BY c.run_id, c.operation, c.process_group,
                        CASE WHEN c.process_group IS NULL THEN c.stream END, c.instance,
                        c.start_ns + c.arrival_skew_ns) AS last_end_ns
  FROM collective c JOIN run r USING (run_id)),
summed AS (
  SELECT point_id, run_id, operation, process_group, group_size, dtype, rank, count(*) AS calls,
         sum(duration_ns) AS duration_ns, sum(exposed_ns) AS exposed_ns, avg(bytes) AS bytes,
         sum(bytes) * 1e9 / nullif(sum(coalesce(transfer_ns, duration_ns))
                                     FILTER (bytes IS NOT NULL), 0) AS algorithm_bytes_per_s,
         count(arrival_skew_ns) AS matched,
         count(*) FILTER (arrival_skew_ns = 0) / nullif(count(arrival_skew_ns), 0) AS last_share,
         sum(arrival_skew_ns) AS waited_ns, max(arrival_skew_ns) AS longest_wait_ns,
         median(last_end_ns - end_ns) FILTER (arrival_skew_ns IS NOT NULL) AS end_skew_ns
  FROM placed GROUP BY point_id, run_id, operation, process_group, group_size, dtype, rank),
whole AS (
  SELECT run_id, rank, sum(total_ns) AS device_ns FROM device_time WHERE step IS NULL
  GROUP BY run_id, rank)
SELECT s.point_id, s.operation, s.process_group, s.group_size, s.dtype, s.rank, s.calls,
       s.duration_ns, s.duration_ns / nullif(w.device_ns, 0) AS share, s.exposed_ns, s.bytes,
       s.algorithm_bytes_per_s,
       s.algorithm_bytes_per_s
         * CASE WHEN s.operation = 'all_reduce' THEN 2 * (s.group_size - 1) / s.group_size
                WHEN s.operation IN ('all_gather', 'reduce_scatter', 'all_to_all')
                THEN (s.group_size - 1) / s.group_size
                WHEN s.operation IN ('broadcast', 'reduce', 'send_receive') THEN 1
           END AS bus_bytes_per_s,
       s.matched, s.last_share, s.waited_ns, s.longest_wait_ns, s.end_skew_ns
FROM summed s
LEFT JOIN whole w ON s.run_id = w.run_id AND s.rank IS NOT DISTINCT FROM w.rank
ORDER BY s.point_id, s.run_id,
         max(s.duration_ns) OVER (PARTITION BY s.run_id, s.operation, s.process_group, s.group_size,
                                               s.dtype) DESC,
         s.operation, s.process_group, s.group_size, s.dtype, s.rank
