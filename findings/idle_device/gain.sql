-- Idle time of a device in a typical step (of the recording where it has none) before work that the host launched too late, up
-- to its start: a replayed graph has no launches in between. Its kernels still start as long after each other as
-- kernels do that follow each other at once.
WITH gap AS (
  SELECT i.*, d.devices * greatest(d.calls, 1) AS windows
  FROM idle i JOIN device_idle d USING (run_id) LEFT JOIN device_step USING (run_id, step)
  WHERE point_id = $point AND stream IS NULL
    AND CASE WHEN calls > 0 THEN is_typical ELSE step IS NULL END),
summed AS (
  SELECT run_id, any_value(windows) AS windows, coalesce(sum(idle_ns) FILTER (cause = 'host'), 0) AS late_ns,
         -- Without what waited longer after its launch than before: for something else.
         late_ns - coalesce(sum(launched_ns) FILTER (cause = 'host' AND 2 * launched_ns > idle_ns), 0) AS host_ns,
         coalesce(sum(gaps) FILTER (cause = 'host'), 0) AS host_gaps,
         coalesce(sum(idle_ns) FILTER (cause = 'kernel') / sum(gaps) FILTER (cause = 'kernel'), 0) AS at_once_ns,
         coalesce(sum(idle_ns) FILTER (cause IN ('kernel', 'launch')), 0) AS launch_ns
  FROM gap GROUP BY run_id),
saved AS (
  SELECT run_id, greatest(host_ns - host_gaps * at_once_ns, 0) / windows AS expected_ns, expected_ns / 2 AS low_ns,
         (late_ns + launch_ns) / windows AS high_ns
  FROM summed)
SELECT piece, greatest(0, least(duration_ns, scale * low_ns - before_ns)) AS low_ns,
       greatest(0, least(duration_ns, scale * expected_ns - before_ns)) AS ns,
       greatest(0, least(duration_ns, scale * high_ns - before_ns)) AS high_ns
FROM waiting_piece JOIN saved USING (run_id) WHERE point_id = $point
