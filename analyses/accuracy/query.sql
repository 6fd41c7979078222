-- What cannot be scored still says how many samples went through.
SELECT p.model, p.backend, p.batch,
       CASE WHEN p.precision = 'default' THEN coalesce(r.precision, p.precision) ELSE p.precision END AS precision, e.dataset, a.metric,
       CASE WHEN a.metric IS NULL THEN NULL ELSE coalesce(a.reference, 'data set') END AS against,
       a.value, a.samples AS counted, e.predicted, e.failed, e.left_out, e.throughput_per_s,
       coalesce(a.message, e.first_failure) AS note
FROM evaluation e JOIN point p USING (point_id) LEFT JOIN run r USING (run_id) LEFT JOIN accuracy a ON a.point_id = e.point_id AND a.run_id = e.run_id
ORDER BY p.model, e.point_id, a.reference NULLS FIRST, a.metric DESC
