WITH taken AS (SELECT * FROM evaluation WHERE point_id = $point ORDER BY run_id LIMIT 1),
-- The scores by which models are usually compared; the analysis has the others.
scored AS (
  SELECT metric, value, reference FROM accuracy
  WHERE point_id = $point AND value IS NOT NULL
    AND metric IN ('top_1', 'top_5', 'ap', 'ap_50', 'bleu', 'exact_match', 'same_top_1', 'same_text'))
SELECT p.backend AS backend_name, t.predicted, t.samples, t.dataset, s.metric,
       CASE WHEN s.metric <> 'bleu' THEN s.value END AS score,
       CASE WHEN s.metric = 'bleu' THEN s.value END AS bleu,
       CASE WHEN s.metric = 'bleu' THEN format('{:.1f}', s.value) END AS bleu_text,
       s.reference, nullif(t.failed, 0) AS failed, t.first_failure
FROM taken t JOIN point p USING (point_id) LEFT JOIN scored s ON true
ORDER BY s.reference NULLS FIRST, s.metric
