CREATE TABLE call_tree (
  run_id BIGINT NOT NULL, kind VARCHAR NOT NULL, node BIGINT NOT NULL, parent BIGINT,
  depth BIGINT NOT NULL, frame VARCHAR NOT NULL, module VARCHAR NOT NULL, samples BIGINT NOT NULL,
  self_samples BIGINT NOT NULL, rate_hz DOUBLE);
COMMENT ON TABLE call_tree IS 'Sampled call stacks of all threads and processes as one tree: every call path once (at most 20,000 nodes of each kind, the largest)';
COMMENT ON COLUMN call_tree.run_id IS 'The run';
COMMENT ON COLUMN call_tree.kind IS 'native: machine code, a sample is CPU time; python: Python functions, a sample is wall time, including waiting';
COMMENT ON COLUMN call_tree.node IS '1-based; callers before callees, siblings by samples';
COMMENT ON COLUMN call_tree.parent IS 'The caller; NULL: a root';
COMMENT ON COLUMN call_tree.depth IS '0: a root';
COMMENT ON COLUMN call_tree.frame IS 'The function; (smaller): all smaller callees in one node';
COMMENT ON COLUMN call_tree.module IS 'Library or program without its folder, [kernel], [jit]; for Python the source file';
COMMENT ON COLUMN call_tree.samples IS 'Samples in it and its callees';
COMMENT ON COLUMN call_tree.self_samples IS 'Samples in the function itself; (smaller): all';
COMMENT ON COLUMN call_tree.rate_hz IS 'Samples per second of a thread: a sample stands for 1 / rate_hz s; NULL: unknown';

CREATE TABLE call_tree_layer (
  run_id BIGINT NOT NULL, node BIGINT NOT NULL, layer_name VARCHAR, layer_type VARCHAR,
  self_samples BIGINT NOT NULL);
COMMENT ON TABLE call_tree_layer IS 'The samples of call_tree by the layer that was open on the sampled thread';
COMMENT ON COLUMN call_tree_layer.run_id IS 'The run';
COMMENT ON COLUMN call_tree_layer.node IS 'Node of call_tree';
COMMENT ON COLUMN call_tree_layer.layer_name IS 'Name of the outermost operator; NULL: the thread was in none, such as the helper threads of an operator';
COMMENT ON COLUMN call_tree_layer.layer_type IS 'Its type';
COMMENT ON COLUMN call_tree_layer.self_samples IS 'Samples in the function itself; those of a node add up to its self_samples';
