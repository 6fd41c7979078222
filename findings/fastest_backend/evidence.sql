WITH peer AS (
  SELECT p.* FROM point p JOIN point mine ON mine.point_id = $point
    AND p.model = mine.model AND p.batch IS NOT DISTINCT FROM mine.batch
  WHERE p.point_id IN (SELECT point_id FROM comparison)),
fastest AS (SELECT point_id FROM peer ORDER BY latency_ns, point_id LIMIT 1),
compared AS (
  SELECT p.*, c.ratio, c.ratio_low, c.ratio_high, p.point_id = f.point_id AS is_fastest,
         NOT is_fastest AND coalesce(c.verdict = 'no difference found', false) AS is_alike,
         -- Without a second process there is no verdict, but still a ratio.
         NOT is_fastest AND NOT is_alike AS is_slower
  FROM peer p JOIN fastest f ON true
  LEFT JOIN comparison c ON c.point_id = p.point_id AND c.against_point_id = f.point_id),
used AS (
  SELECT precision, string_agg(backend, ', ' ORDER BY latency_ns, point_id) AS backends FROM peer GROUP BY precision),
worded AS (
  SELECT backends || CASE WHEN precision = min(precision) OVER () THEN ' ran in ' ELSE ' in ' END || precision AS text,
         precision
  FROM used)
SELECT backend AS backend_name, batch, latency_ns, precision, ratio, ratio_low, ratio_high, is_slower,
       (SELECT string_agg(backend, ', ' ORDER BY latency_ns, point_id) FROM compared WHERE is_alike) AS alike,
       bool_or(is_slower) OVER () AS is_any_slower,
       (SELECT string_agg(text, ', ' ORDER BY precision) FROM worded HAVING count(*) > 1) AS precisions
FROM compared
WHERE (SELECT count(*) FROM peer) > 1
-- Those that the sentence lists with their ratios follow the fastest.
ORDER BY is_fastest DESC, is_alike, latency_ns, point_id
