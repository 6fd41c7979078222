-- One row a point. What the system monitor saw is taken from the run with the least profiling that
-- it watched; FLOPs, bytes and kernels are sums over all kernels of a model call.
WITH watched AS (
  SELECT r.experiment, r.point_id, u.* EXCLUDE (experiment)
  FROM system_usage u JOIN run r ON r.experiment = u.experiment AND r.run_id = u.run_id
  QUALIFY row_number() OVER (PARTITION BY r.experiment, r.point_id
    ORDER BY coalesce(list_position(['model', 'recorded', 'monitor', 'layer', 'library', 'kernel'], r.rung), 9),
             r.run_id) = 1),
rates AS (
  SELECT experiment, run_id, starts_with(name, 'disk.') AS is_disk,
         sum(mean * (until_ns - time_ns)) / nullif(sum(until_ns - time_ns), 0) AS bytes_per_s
  FROM system_series
  WHERE name IN ('disk.read_bytes_per_s', 'disk.write_bytes_per_s',
                 'network.received_bytes_per_s', 'network.sent_bytes_per_s')
  GROUP BY experiment, run_id, name, part),
traffic AS (
  SELECT experiment, run_id, sum(bytes_per_s) FILTER (is_disk) AS disk_bytes_per_s,
         sum(bytes_per_s) FILTER (NOT is_disk) AS network_bytes_per_s
  FROM rates GROUP BY experiment, run_id),
kernels AS (
  SELECT experiment, point_id, sum(kernel_count)::BIGINT AS kernel_count, sum(kernel_ns) AS kernel_ns,
         sum(flops) AS flops, sum(read_bytes) + sum(write_bytes) AS traffic_bytes
  FROM layer_work GROUP BY experiment, point_id),
-- Marks of one number are one epoch, however many processes or steps of it said so. Where a single
-- experiment is open its marks have no column of its name: the name below is then that of the run.
marked AS (
  SELECT r.experiment, r.point_id, r.run_id, r.rung,
         (SELECT count(DISTINCT coalesce(
                   nullif(regexp_extract(m.name, '\bepoch[ \t=:]+([0-9]+)', 1), ''), m.time_ns::VARCHAR || ' ns'))
          FROM mark m
          WHERE experiment = r.experiment AND run_id = r.run_id
            AND regexp_matches(m.name, '\bepoch\b')) AS epochs
  FROM run r),
trained AS (
  SELECT experiment, point_id, epochs FROM marked WHERE epochs > 0
  QUALIFY row_number() OVER (PARTITION BY experiment, point_id
    ORDER BY coalesce(list_position(['model', 'recorded', 'monitor', 'layer', 'library', 'kernel'], rung), 9),
             run_id) = 1)
SELECT p.experiment, p.point_id, p.model, p.backend, p.device, p.precision, p.batch,
       w.cpu_pct, w.gpu_pct_sum, w.system_memory_mb, w.gpu_memory_mb_sum, w.pcie_mbps,
       w.nvlink_mbps, t.disk_bytes_per_s, t.network_bytes_per_s,
       k.flops * 1e9 / nullif(k.kernel_ns, 0) AS flops_per_s,
       k.traffic_bytes * 1e9 / nullif(k.kernel_ns, 0) AS memory_bytes_per_s,
       k.flops / nullif(k.traffic_bytes, 0) AS intensity_flops_per_byte,
       k.kernel_count, p.latency_ns, p.batch * 1e9 / nullif(p.latency_ns, 0) AS throughput_per_s,
       e.epochs
FROM point p
LEFT JOIN watched w ON w.experiment = p.experiment AND w.point_id = p.point_id
LEFT JOIN traffic t ON t.experiment = w.experiment AND t.run_id = w.run_id
LEFT JOIN kernels k ON k.experiment = p.experiment AND k.point_id = p.point_id
LEFT JOIN trained e ON e.experiment = p.experiment AND e.point_id = p.point_id
ORDER BY p.experiment, p.point_id
