-- why: bandwidth from the shortest of the partners and nccl-tests' factor; who came last and how long the others waited; calls without partner are not matched; kernels that say nothing have no size and no bandwidth
INSERT INTO point (point_id, model, backend, device, precision, settings, status) VALUES
  (1, 'm', 'pytorch', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'imported');
INSERT INTO device_time (run_id, rank, device, step, start_ns, total_ns, busy_ns, idle_ns, compute_ns, communication_ns, copy_ns, compute_communication_ns, exposed_communication_ns, exposed_copy_ns, spans) VALUES
  (1, 0, 0, NULL, 0, 10000, 10000, 0, 9000, 1000, 0, 0, 1000, 0, 9),
  (1, 1, 1, NULL, 0, 20000, 20000, 0, 9000, 1000, 0, 0, 1000, 0, 9),
  (1, 0, 0, 5, 0, 5000, 10000, 0, 9000, 1000, 0, 0, 1000, 0, 9);
INSERT INTO collective (run_id, rank, device, stream, step, operation, name, process_group, group_size, dtype, bytes, instance, start_ns, duration_ns, exposed_ns, arrival_skew_ns, transfer_ns) VALUES
  (1, 0, 0, 40, 5, 'all_reduce', 'ncclDevKernel_AllReduce', '0', 4, 'float32', 1000, 0, 100, 500, 300, 400, 100),
  (1, 1, 1, 41, 5, 'all_reduce', 'ncclDevKernel_AllReduce', '0', 4, 'float32', 1000, 0, 500, 100, 100, 0, 100),
  (1, 0, 0, 40, 6, 'all_reduce', 'ncclDevKernel_AllReduce', '0', 4, 'float32', 3000, 1, 1000, 300, 300, 0, 300),
  (1, 1, 1, 41, 6, 'all_reduce', 'ncclDevKernel_AllReduce', '0', 4, 'float32', 3000, 1, 900, 400, 0, 100, 300),
  (1, 0, 0, 40, 6, 'all_reduce', 'ncclDevKernel_AllReduce', '0', 4, 'float32', 2000, 2, 2000, 200, 0, NULL, NULL),
  (1, 0, 0, 50, NULL, 'send_receive', 'ncclDevKernel_SendRecv', NULL, NULL, NULL, NULL, 0, 3000, 50, 50, NULL, NULL);
