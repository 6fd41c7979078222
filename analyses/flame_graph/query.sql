-- The table `call_tree` in its order, without what holds less than 0.1 % of the samples of its kind
-- (at most 2,000 rows of each, the largest);
-- and for each node the layer that most of the samples in and below it were taken in.
WITH RECURSIVE whole AS (
  SELECT run_id, kind, sum(samples) AS samples FROM call_tree WHERE parent IS NULL GROUP BY ALL),
shown AS (
  SELECT t.*, t.samples / w.samples AS share, t.self_samples / w.samples AS self_share
  FROM call_tree t JOIN whole w USING (run_id, kind)
  WHERE t.samples >= 0.001 * w.samples
  QUALIFY row_number() OVER (PARTITION BY run_id, kind ORDER BY t.samples DESC, t.node) <= 2000),
-- Samples of a node that is not shown count for the nearest one above that is.
within AS (
  SELECT t.run_id, t.node, CASE WHEN s.node IS NULL THEN NULL ELSE t.node END AS above
  FROM call_tree t LEFT JOIN shown s USING (run_id, node) WHERE t.parent IS NULL
  UNION ALL
  SELECT t.run_id, t.node, CASE WHEN s.node IS NULL THEN w.above ELSE t.node END
  FROM call_tree t JOIN within w ON t.run_id = w.run_id AND t.parent = w.node
  LEFT JOIN shown s ON t.run_id = s.run_id AND t.node = s.node),
own AS (
  SELECT w.run_id, w.above AS node, l.layer_name, sum(l.self_samples) AS samples
  FROM call_tree_layer l JOIN within w USING (run_id, node) WHERE w.above IS NOT NULL GROUP BY ALL),
below AS (
  SELECT run_id, node, layer_name, samples FROM own
  UNION ALL
  SELECT b.run_id, s.parent, b.layer_name, b.samples
  FROM below b JOIN shown s USING (run_id, node) WHERE s.parent IS NOT NULL),
layers AS (
  SELECT run_id, node, layer_name, sum(samples) AS samples FROM below GROUP BY ALL),
largest AS (
  SELECT run_id, node, layer_name, samples FROM layers
  QUALIFY row_number() OVER (PARTITION BY run_id, node
                             ORDER BY samples DESC, layer_name NULLS LAST) = 1)
SELECT r.point_id, s.kind, s.depth, repeat(chr(160) || chr(160), s.depth) || s.frame AS function,
       s.module, s.samples, s.share, s.self_samples, s.self_share,
       round(s.samples / s.rate_hz * 1e9)::BIGINT AS time_ns,
       l.layer_name AS layer, l.samples / s.samples AS layer_share, s.rate_hz
FROM shown s JOIN run r USING (run_id) LEFT JOIN largest l USING (run_id, node)
ORDER BY r.point_id, s.run_id, s.kind, s.node
