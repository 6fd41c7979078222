WITH timed AS (
  SELECT sum(t.kernel_run_ns) AS layers_ns, sum(l.device_ns) AS kernels_ns, any_value(p.layer_call_ns) AS call_ns,
         any_value(p.layers_ns) AS all_layers_ns, any_value(p.layers_distorted) AS is_distorted,
         -- Tables of older experiments have no time of the same run to subtract from.
         bool_and(l.kernel_run_ns IS NOT NULL) OR any_value(p.runs_agree) AS is_comparable
  FROM layer l JOIN layer_time t USING (point_id, layer_index) JOIN point_time p USING (point_id)
  -- A device runs beside the host: its kernels are no part of the layers' time on the host.
  WHERE point_id = $point AND NOT p.has_device AND t.kernel_run_ns IS NOT NULL AND l.device_ns IS NOT NULL),
part AS (
  SELECT *, (layers_ns - kernels_ns) / layers_ns AS outside, (call_ns - all_layers_ns) / call_ns AS between_layers
  FROM timed WHERE layers_ns > 0 AND call_ns > 0),
known AS (
  SELECT *, CASE WHEN is_comparable AND outside >= 0 THEN outside END AS outside_share,
         CASE WHEN between_layers > 0 AND NOT is_distorted THEN between_layers END AS between_share
  FROM part)
SELECT outside_share, layers_ns, kernels_ns, between_share, call_ns,
       CASE WHEN outside_share IS NULL AND between_share IS NULL THEN
         CASE WHEN is_distorted
              THEN 'Profiling distorts the call, so that the time between layers is not known, and the time outside of '
                   || 'kernels is not known either.'
              ELSE 'Runs disagree, and no run has both the layers'' and the kernels'' times: what lies outside of '
                   || 'kernels is not known.' END END AS abstain
FROM known WHERE outside >= $much_outside OR between_layers >= $much_outside
