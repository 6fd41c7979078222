-- Kernels of all points by how they were attributed to a layer; one row without a way where none was.
WITH ways AS (
  SELECT coalesce(placed_by, '') AS placed_by, layer_index IS NOT NULL AS is_tied, sum(duration_ns) AS duration_ns,
         sum(duration_ns) / sum(sum(duration_ns)) OVER () AS share
  FROM kernel GROUP BY ALL),
whole AS (
  SELECT coalesce(sum(duration_ns) FILTER (is_tied), 0) / sum(duration_ns) AS tied_share,
         coalesce(bool_or(is_tied AND (placed_by LIKE 'sequence%' OR placed_by LIKE 'graph_node%')), false)
         OR EXISTS (SELECT 1 FROM diagnostic WHERE name = 'correlate_replay_unexplained') AS has_replays
  FROM ways HAVING sum(duration_ns) > 0)
SELECT tied_share, share, duration_ns,
       CASE placed_by
         WHEN '' THEN NULL  -- Tables of older runs do not say.
         WHEN 'id' THEN 'as recorded'
         WHEN 'nesting' THEN 'by containment'
         WHEN 'launch' THEN 'by its launch'
         WHEN 'sequence: capture' THEN 'by the capture of a replayed graph'
         WHEN 'sequence: eager iteration' THEN 'in a replayed graph, by an eager iteration'
         WHEN 'sequence: other run' THEN 'in a replayed graph, by another run'
         WHEN 'graph_node' THEN 'by the nodes of a replayed graph'
         WHEN 'concurrent' THEN 'by the only operator open meanwhile'
         ELSE 'by ' || placed_by END AS way
FROM whole LEFT JOIN ways ON is_tied AND share IS NOT NULL
WHERE has_replays
ORDER BY way IS NULL, share DESC, placed_by
