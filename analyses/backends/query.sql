-- One row per point of a group (same model and batch size), the fastest first.
WITH measured AS (
  SELECT p.*, p.point_id IN (SELECT point_id FROM comparison) AS compared FROM point p
  WHERE EXISTS (SELECT 1 FROM comparison c JOIN point q USING (point_id)
                WHERE q.model = p.model AND q.batch IS NOT DISTINCT FROM p.batch)),
fastest AS (
  SELECT model, batch, arg_min(point_id, latency_ns) AS fastest_id
  FROM measured WHERE compared GROUP BY model, batch),
shallow AS (
  SELECT point_id, load_ns, first_call_ns, threads, graph, precision, peak_resident_bytes
  FROM run WHERE samples > 0
  QUALIFY row_number() OVER (PARTITION BY point_id
    ORDER BY CASE rung WHEN 'model' THEN 0 ELSE 1 END, run_id) = 1),
failed AS (
  SELECT point_id, min(message) AS message FROM run
  WHERE status = 'failed' GROUP BY point_id),
results AS (
  SELECT point_id, min(label_agreement) AS label_agreement,
         max(max_absolute_error) AS max_absolute_error,
         max(mean_divergence_nats) AS divergence_nats, min(message) AS message
  FROM agreement GROUP BY point_id)
SELECT m.model, m.batch, m.backend, m.latency_ns,
       CASE WHEN m.point_id = f.fastest_id THEN 'fastest' ELSE c.verdict END AS against_fastest,
       CASE WHEN m.point_id = f.fastest_id THEN 1 ELSE c.ratio END AS ratio,
       c.ratio_low, c.ratio_high, r.label_agreement, r.max_absolute_error,
       m.batch * 1e9 / nullif(m.latency_ns, 0) AS throughput_per_s,
       m.latency_low_ns, m.latency_high_ns,
       CASE WHEN m.precision = 'default' THEN coalesce(s.precision, m.precision)
            ELSE m.precision END AS precision,
       r.divergence_nats,
       coalesce(CASE WHEN m.latency_ns IS NULL THEN e.message END, r.message) AS note,
       s.threads, s.graph, s.load_ns, s.first_call_ns, s.peak_resident_bytes
FROM measured m JOIN fastest f
  ON f.model = m.model AND f.batch IS NOT DISTINCT FROM m.batch
LEFT JOIN comparison c ON c.point_id = m.point_id AND c.against_point_id = f.fastest_id
LEFT JOIN shallow s ON s.point_id = m.point_id
LEFT JOIN results r ON r.point_id = m.point_id
LEFT JOIN failed e ON e.point_id = m.point_id
ORDER BY m.model, m.batch, m.latency_ns NULLS LAST, m.point_id
