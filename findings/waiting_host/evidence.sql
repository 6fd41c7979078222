-- The outermost call that waits below each outermost operator. A copy that returns late waits, too. Of a model that XSP
-- runs, waits for the whole device are XSP's own: it ends each layer and each call with one.
WITH RECURSIVE node AS (
  SELECT t.*, r.latency_ns * r.samples AS calls_ns,
         t.level = 'library' AND ((t.name LIKE '%Synchronize%'
            AND (r.rung IN ('imported', 'recorded') OR NOT regexp_matches(t.name, '(Device|Ctx)Synchronize'))) OR
           (t.name LIKE '%Memcpy%' AND t.host_ns > $copy_call_ns * t.count)) AS waits
  FROM tree t JOIN run r USING (run_id) JOIN point_time p USING (point_id)
  WHERE point_id = $point AND p.has_device),
down AS (
  SELECT run_id, node, waits, waits AS waits_above, NULL::VARCHAR AS operator
  FROM node WHERE parent IS NULL
  UNION ALL
  SELECT n.run_id, n.node, n.waits AND NOT d.waits_above, n.waits OR d.waits_above,
         coalesce(d.operator, CASE WHEN n.level = 'layer' AND n.type NOT IN ('module', 'function', '') THEN n.name END)
  FROM node n JOIN down d ON n.run_id = d.run_id AND n.parent = d.node),
waiting AS (
  SELECT operator, sum(n.host_ns) AS ns, sum(sum(n.host_ns)) OVER () AS whole_ns, any_value(n.calls_ns) AS calls_ns
  FROM down d JOIN node n USING (run_id, node) WHERE d.waits
  GROUP BY operator ORDER BY ns DESC, operator LIMIT 1)
SELECT whole_ns / calls_ns AS wait_share, whole_ns::BIGINT AS wait_ns,
       CASE WHEN ns / whole_ns >= $most_of THEN operator END AS operator,
       CASE WHEN ns / whole_ns >= $most_of AND operator IS NOT NULL THEN ns / whole_ns END AS operator_share,
       CASE WHEN whole_ns > calls_ns
            THEN 'Several threads wait for the device at once: their times add up to more than the calls, so that '
                 || 'there is no share.' END AS abstain
FROM waiting
WHERE wait_share >= $wait_matters
