-- The phases of training steps, and what is left of the steps.
WITH phases AS (
  SELECT run_id, rank, phase, count, host_ns, device_ns, kernels, place, steps, steps_ns FROM training_phase
  UNION ALL
  SELECT run_id, rank, '(between)', any_value(steps), greatest(any_value(steps_ns) - sum(host_ns), 0),
         any_value(steps_device_ns) - sum(device_ns), any_value(steps_kernels) - sum(kernels), NULL,
         any_value(steps), any_value(steps_ns)
  FROM training_phase GROUP BY run_id, rank)
SELECT r.point_id, p.rank, p.phase, p.count, p.steps, p.host_ns / p.steps AS step_ns,
       p.host_ns / nullif(p.steps_ns, 0) AS share, p.device_ns / p.steps AS device_ns,
       p.kernels / p.steps AS kernels
FROM phases p JOIN run r USING (run_id)
ORDER BY r.point_id, p.run_id, p.rank NULLS FIRST, p.place NULLS LAST
