CREATE TABLE tree (
  run_id BIGINT NOT NULL, rank BIGINT, node BIGINT NOT NULL, parent BIGINT, depth BIGINT NOT NULL,
  level VARCHAR NOT NULL, type VARCHAR NOT NULL, name VARCHAR NOT NULL, count BIGINT NOT NULL,
  host_ns BIGINT NOT NULL, host_self_ns BIGINT NOT NULL, device_ns BIGINT NOT NULL,
  device_self_ns BIGINT NOT NULL, kernels BIGINT NOT NULL);
COMMENT ON TABLE tree IS 'Top-down: every path of names from a root to a kernel, once (at most 20,000 nodes, the largest), without warm-up and other excluded model calls';
COMMENT ON COLUMN tree.run_id IS 'The run';
COMMENT ON COLUMN tree.rank IS 'Process of a distributed execution; NULL: the only one';
COMMENT ON COLUMN tree.node IS '1-based; parents before children, siblings by their first start';
COMMENT ON COLUMN tree.parent IS 'The node above; NULL: a root';
COMMENT ON COLUMN tree.depth IS '0: a root';
COMMENT ON COLUMN tree.level IS 'application, model, layer, library or kernel';
COMMENT ON COLUMN tree.type IS 'Type of its spans';
COMMENT ON COLUMN tree.name IS 'Name of its spans; ProfilerStep*: steps of every number; (smaller): all smaller children in one node';
COMMENT ON COLUMN tree.count IS 'Spans; (smaller): all spans in it; 0: a module that appears only in the layers of a replayed graph';
COMMENT ON COLUMN tree.host_ns IS 'Sum of its spans'' durations on host threads, ns (work of a device: 0)';
COMMENT ON COLUMN tree.host_self_ns IS 'Part of host_ns outside of its children on the same thread, ns; all rows add up to the time of the roots';
COMMENT ON COLUMN tree.device_ns IS 'Sum of the durations of device work in and below it, ns';
COMMENT ON COLUMN tree.device_self_ns IS 'Part of device_ns with only library calls in between, ns; device work itself: all';
COMMENT ON COLUMN tree.kernels IS 'Spans of level kernel (kernels, copies, sets; primitives on a CPU) in and below it';
