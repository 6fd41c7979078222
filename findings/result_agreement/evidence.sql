WITH compared AS (
  SELECT p.point_id, p.backend AS backend_name, r.backend AS reference,
         -- NaN, which SQL takes for the largest number, is no agreement.
         nullif(min(a.label_agreement), 'nan'::DOUBLE) AS labels,
         nullif(min(a.cosine_similarity), 'nan'::DOUBLE) AS cosine,
         max(a.max_absolute_error) AS largest_difference, min(a.message) AS message,
         -- [rows, classes]: of maps and of single columns the largest element means nothing.
         bool_and(regexp_matches(coalesce(a.shape, '[1,2]'), '^\[[0-9]+, ?([2-9]|[0-9]{2,})\]$')) AS has_classes
  FROM agreement a JOIN point p USING (point_id)
  JOIN point r ON r.point_id = a.against_point_id
  JOIN point mine ON mine.point_id = $point AND p.model = mine.model AND p.batch IS NOT DISTINCT FROM mine.batch
  GROUP BY p.point_id, p.backend, r.backend),
judged AS (
  SELECT *, message IS NOT NULL OR coalesce(cosine < $cosine_of_other, false) AS is_other,
         NOT is_other AND coalesce(CASE WHEN has_classes THEN labels >= $same_labels
                                        ELSE cosine >= $cosine_of_same END, false) AS is_agreeing
  FROM compared)
SELECT backend_name, first_value(reference) OVER (ORDER BY point_id) AS reference, is_agreeing,
       coalesce(bool_and(has_classes) FILTER (is_agreeing) OVER (), false) AS is_of_classes,
       largest_difference, cosine,
       -- Four digits: 0.9985 is not 0.999.
       coalesce(format('{:.4g}', cosine), 'nan') AS cosine_text,
       CASE WHEN has_classes AND labels < $same_labels THEN 1 - labels END AS other_label_share
FROM judged
-- Where a backend computes something else, the rule other_results says all of this.
WHERE NOT (SELECT bool_or(is_other) FROM judged)
ORDER BY is_agreeing DESC, point_id
