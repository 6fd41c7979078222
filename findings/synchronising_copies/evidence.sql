-- Calls that wait, in a program (XSP itself waits after each layer of a model that it runs). The device had work when
-- the call began, which ended in it; the next work of the same typical step was launched only after it.
WITH RECURSIVE source AS (
  SELECT run_id, devices * greatest(calls, 1) AS windows, total_ns FROM device_idle i JOIN run USING (run_id)
  WHERE i.point_id = $point AND rung IN ('imported', 'recorded') ORDER BY run_id LIMIT 1),
work AS (
  SELECT t.device, t.rank, s.start_ns, s.start_ns + s.duration_ns AS end_ns
  FROM span s JOIN source USING (run_id) JOIN track t ON t.run_id = s.run_id AND t.id = s.track_id
  WHERE s.level = 'kernel' AND s.duration_ns IS NOT NULL AND t.device IS NOT NULL),
one_device AS (
  SELECT coalesce(rank, -1) AS rank FROM work GROUP BY ALL HAVING count(DISTINCT device) = 1),
done AS (
  SELECT coalesce(rank, -1) AS rank, start_ns,
         max(end_ns) OVER (PARTITION BY rank ORDER BY start_ns ROWS UNBOUNDED PRECEDING) AS end_ns FROM work),
waiting AS (
  SELECT s.id, s.parent_id, s.name, coalesce(t.rank, -1) AS rank, s.start_ns, s.start_ns + s.duration_ns AS end_ns
  FROM span s JOIN source USING (run_id) JOIN track t ON t.run_id = s.run_id AND t.id = s.track_id
  JOIN one_device o ON o.rank = coalesce(t.rank, -1)
  WHERE s.level = 'library' AND s.duration_ns > 0
    AND regexp_matches(s.name, '(Stream|Device|Event|Ctx)Synchronize|^(cuda|hip)Memcpy(2D|3D|WithStream)?$|'
                               || '^cuMemcpy[A-Z]to[A-Z](_v2)?$')),
before AS (
  SELECT w.*, d.end_ns AS drained_ns FROM waiting w ASOF JOIN done d ON w.rank = d.rank AND w.end_ns > d.start_ns),
between_work AS (
  SELECT b.*, n.start_ns AS next_ns FROM before b ASOF JOIN done n ON b.rank = n.rank AND b.end_ns <= n.start_ns
  WHERE drained_ns > b.start_ns AND drained_ns <= b.end_ns),
steps AS (
  SELECT coalesce(s.rank, -1) AS rank, start_ns, start_ns + duration_ns AS end_ns
  FROM step s JOIN source USING (run_id) LEFT JOIN device_step USING (run_id, step)
  WHERE coalesce(is_typical, true)),
drain AS (
  SELECT id, parent_id, name, next_ns - drained_ns AS idle_ns, least(idle_ns, end_ns - start_ns) AS saved_ns
  FROM between_work b
  WHERE NOT EXISTS (SELECT 1 FROM steps)
     OR EXISTS (SELECT 1 FROM steps s WHERE s.rank = b.rank AND b.start_ns >= s.start_ns AND b.next_ns < s.end_ns)),
-- The outermost operator around each: of aten::item and what it calls, aten::item.
up AS (
  SELECT id, parent_id AS above_id, NULL::VARCHAR AS operator FROM drain
  UNION ALL
  SELECT u.id, s.parent_id,
         CASE WHEN s.level = 'layer' AND s.type NOT IN ('module', 'function', '') THEN s.name ELSE u.operator END
  FROM up u JOIN source ON true JOIN span s ON s.run_id = source.run_id AND s.id = u.above_id WHERE u.above_id > 0),
named AS (
  SELECT d.*, u.operator FROM drain d JOIN up u USING (id)
  WHERE u.above_id = 0),
operators AS (SELECT operator, sum(saved_ns) AS ns FROM named GROUP BY operator ORDER BY ns DESC, operator LIMIT 1),
apis AS (SELECT name, sum(saved_ns) AS ns FROM named GROUP BY name ORDER BY ns DESC, name LIMIT 1),
summed AS (
  SELECT count(*) / any_value(windows) AS calls, sum(saved_ns) / any_value(windows) AS idle_ns,
         sum(saved_ns) AS saved_ns, any_value(total_ns) AS total_ns FROM named, source)
SELECT calls, s.idle_ns, s.saved_ns / total_ns AS idle_share,
       CASE WHEN o.ns >= $most_of * s.saved_ns THEN operator END AS operator, apis.name AS api
FROM summed s, operators o, apis WHERE s.saved_ns >= $matters * total_ns
