-- The layers of each point in execution order, cut into three thirds by their number. Which third
-- holds most of the latency, memory, FLOPs and traffic? Of equals the first.
WITH staged AS (
  SELECT point_id, latency_ns, allocated_bytes, flops, read_bytes + write_bytes AS traffic_bytes,
         3 * (row_number() OVER by_order - 1) // count(*) OVER (PARTITION BY point_id) AS third
  FROM layer
  WINDOW by_order AS (PARTITION BY point_id ORDER BY layer_index)),
long AS (
  SELECT point_id, third, 1 AS rank, 'latency' AS quantity, latency_ns AS value FROM staged
  UNION ALL SELECT point_id, third, 2, 'memory', allocated_bytes FROM staged
  UNION ALL SELECT point_id, third, 3, 'flops', flops FROM staged
  UNION ALL SELECT point_id, third, 4, 'traffic', traffic_bytes FROM staged),
summed AS (
  SELECT point_id, rank, quantity, sum(value) AS total,
         coalesce(sum(value) FILTER (third = 0), 0) AS beginning,
         coalesce(sum(value) FILTER (third = 1), 0) AS middle,
         coalesce(sum(value) FILTER (third = 2), 0) AS ending
  FROM long GROUP BY point_id, rank, quantity)
SELECT s.point_id, p.batch, p.model, s.quantity,
       s.beginning / nullif(s.total, 0) AS beginning_share,
       s.middle / nullif(s.total, 0) AS middle_share,
       s.ending / nullif(s.total, 0) AS end_share,
       CASE WHEN s.total IS NULL OR s.total = 0 THEN NULL
            WHEN s.beginning >= s.middle AND s.beginning >= s.ending THEN 'B'
            WHEN s.middle >= s.ending THEN 'M' ELSE 'E' END AS stage
FROM summed s
JOIN point p USING (point_id)
ORDER BY s.point_id, s.rank
