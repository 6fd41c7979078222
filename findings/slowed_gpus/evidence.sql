WITH usage AS (
  SELECT run_id FROM system_usage JOIN run USING (run_id)
  WHERE point_id = $point ORDER BY seconds DESC, run_id LIMIT 1),
series AS (
  SELECT name, part, sum(mean * (until_ns - time_ns)) / nullif(sum(until_ns - time_ns), 0) AS mean
  FROM system_series JOIN usage USING (run_id) WHERE regexp_full_match(part, 'gpu [^ ]*') GROUP BY name, part),
reasons AS (
  SELECT * FROM (VALUES
    (1, 'nvml.throttled_by_power_cap', 'its power limit'),
    (2, 'nvml.throttled_by_heat', 'heat'),
    (3, 'nvml.throttled_by_hardware', 'its hardware''s protection'),
    (4, 'nvml.throttled_by_hardware_heat', 'heat, by its hardware'),
    (5, 'nvml.throttled_by_power_brake', 'the power brake')) AS known(place, name, reason))
SELECT first(part ORDER BY mean DESC, part) AS gpu, reason, max(mean) AS share
FROM series JOIN reasons USING (name)
GROUP BY place, reason HAVING share >= $slow_matters ORDER BY place
