-- The table `tree` without Python functions and without the calls that only launch device work:
-- what is left takes their place below the nearest node above, and the same name below the same
-- node is one row; modules of one class ("Linear_0", "Linear_1") too. In the order of execution; what holds little of both times is left out.
WITH RECURSIVE node AS (
  SELECT * REPLACE (
           CASE type WHEN 'module' THEN regexp_replace(name, '^nn\.Module: |_[0-9]+$', '', 'g')
                     ELSE name END AS name),
         CASE WHEN type IN ('module', 'function', 'primitive', 'native') THEN type
              ELSE CASE level WHEN 'application' THEN 'range' WHEN 'layer' THEN 'operator'
                              WHEN 'library' THEN 'call' ELSE level END END AS kind,
         type <> 'python' AND NOT (level = 'library' AND kernels > 0) AS is_shown
  FROM tree),
placed AS (
  SELECT run_id, rank, node, is_shown, 0::UBIGINT AS above,
         CASE WHEN is_shown THEN hash(run_id, rank, level, type, name) ELSE 0::UBIGINT END AS place,
         CASE WHEN is_shown THEN 0 ELSE -1 END AS depth
  FROM node WHERE parent IS NULL
  UNION ALL
  SELECT n.run_id, n.rank, n.node, n.is_shown, p.place,
         CASE WHEN n.is_shown THEN hash(p.place, n.run_id, n.rank, n.level, n.type, n.name)
              ELSE p.place END,
         p.depth + n.is_shown::BIGINT
  FROM node n JOIN placed p ON n.run_id = p.run_id AND n.parent = p.node),
summed AS (
  SELECT n.run_id, n.rank, p.place, min(n.node) FILTER (n.is_shown) AS node,
         any_value(p.above) FILTER (n.is_shown) AS above, any_value(p.depth) AS depth,
         any_value(n.kind) FILTER (n.is_shown) AS kind,
         any_value(n.name) FILTER (n.is_shown) AS name,
         nullif(sum(n.count) FILTER (n.is_shown), 0) AS count,
         sum(n.host_ns) FILTER (n.is_shown) AS host_ns, sum(n.host_self_ns) AS host_self_ns,
         sum(n.device_ns) FILTER (n.is_shown) AS device_ns,
         sum(n.device_self_ns) FILTER (n.is_shown) AS device_self_ns,
         sum(n.kernels) FILTER (n.is_shown) AS kernels
  FROM node n JOIN placed p ON n.run_id = p.run_id AND n.node = p.node
  WHERE p.place <> 0 GROUP BY n.run_id, n.rank, p.place),
ordered AS (
  SELECT run_id, place, [node] AS path FROM summed WHERE above = 0
  UNION ALL
  SELECT s.run_id, s.place, list_append(o.path, s.node)
  FROM summed s JOIN ordered o ON s.run_id = o.run_id AND s.above = o.place),
whole AS (
  SELECT run_id, rank, sum(device_ns) AS device_ns, max(host_ns) AS host_ns
  FROM tree WHERE parent IS NULL GROUP BY run_id, rank),
shares AS (
  SELECT s.*, s.device_ns / nullif(w.device_ns, 0) AS device_share,
         s.device_self_ns / nullif(w.device_ns, 0) AS device_self_share,
         s.host_ns / nullif(w.host_ns, 0) AS host_share
  FROM summed s JOIN whole w ON s.run_id = w.run_id AND s.rank IS NOT DISTINCT FROM w.rank)
SELECT r.point_id, s.rank, s.depth, repeat(chr(160) || chr(160), s.depth) || s.name AS name,
       s.kind, s.count, s.device_ns, s.device_share, s.device_self_ns, s.device_self_share,
       s.kernels, s.host_ns, s.host_share, s.host_self_ns
FROM shares s JOIN ordered o USING (run_id, place) JOIN run r USING (run_id)
WHERE s.device_share >= 0.005 OR s.host_share >= 0.01
ORDER BY r.point_id, s.run_id, s.rank NULLS FIRST, o.path
