-- why: the monitor's row of the least profiled run counts, disk and network are weighted by time and summed over parts, epochs are those of the program's marks, and what was not measured is empty, not zero
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'm', 'pytorch', 'cpu', 'float32', 4, '{}', 20000, 'done'),
  (2, 'm', 'pytorch', 'cuda:0', 'float32', NULL, '{}', 1000, 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES
  (1, 1, 'kernel', 'done', 'kernel-1'), (2, 1, 'model', 'done', 'model-1'), (3, 2, 'model', 'done', 'model-2');
INSERT INTO system_usage (run_id, seconds, samples, cpu_pct, gpu_pct_sum, system_memory_mb, gpu_memory_mb_sum, pcie_mbps, nvlink_mbps, monitor_share) VALUES
  (1, 2, 20, 99, NULL, 900, NULL, NULL, NULL, 0.001),
  (2, 2, 20, 50, NULL, 800, NULL, NULL, NULL, 0.001),
  (3, 2, 20, 5, 188.5, 1800, 4000, 1251, 967, 0.001);
INSERT INTO system_series (run_id, name, part, unit, time_ns, until_ns, mean, most) VALUES
  (2, 'disk.read_bytes_per_s', 'disk sda', 'byte/s', 0, 1000, 100, 100),
  (2, 'disk.read_bytes_per_s', 'disk sda', 'byte/s', 1000, 4000, 500, 500),
  (2, 'disk.write_bytes_per_s', 'disk sdb', 'byte/s', 0, 4000, 50, 50),
  (2, 'network.sent_bytes_per_s', 'eth0', 'byte/s', 0, 4000, 7, 7),
  (2, 'cpu.busy_share', 'machine', '1', 0, 4000, 0.5, 0.5),
  (1, 'disk.read_bytes_per_s', 'disk sda', 'byte/s', 0, 1000, 99999, 99999);
INSERT INTO kernel (point_id, kernel_index, name, type, duration_ns, flops, read_bytes, write_bytes, flops_provenance, traffic_provenance, matched) VALUES
  (1, 0, 'convolution', 'primitive', 4000, 2000000, 60000, 40000, 'analytic', 'analytic', 'all'),
  (1, 1, 'reorder', 'primitive', 1000, 0, 50000, 50000, 'analytic', 'analytic', 'all'),
  (2, 0, 'memset', 'memset', 500, NULL, NULL, NULL, NULL, NULL, 'all');
INSERT INTO mark (run_id, track_id, time_ns, name) VALUES
  (2, 1, 100, 'epoch=1 step=20 accuracy=0.5'), (2, 1, 200, 'epoch=1 step=40 accuracy=0.6'), (2, 2, 201, 'epoch: 1'),
  (2, 1, 300, 'epoch=2 accuracy=0.7'), (2, 1, 400, 'start of epoch'), (2, 1, 500, 'epochs=9'), (2, 1, 600, 'loaded'),
  (1, 1, 100, 'epoch=1'), (1, 1, 200, 'epoch=2'), (1, 1, 300, 'epoch=3'), (1, 1, 400, 'epoch=4'),
  (3, 1, 100, 'loaded');
