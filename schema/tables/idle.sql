CREATE TABLE idle (
  run_id BIGINT NOT NULL, rank BIGINT, device BIGINT, stream BIGINT, step BIGINT, cause VARCHAR NOT NULL,
  gaps BIGINT NOT NULL, idle_ns BIGINT NOT NULL, launched_ns BIGINT NOT NULL, longest_ns BIGINT NOT NULL,
  after VARCHAR, before VARCHAR);
COMMENT ON TABLE idle IS 'Why a device, or one of its streams, was idle between two pieces of work';
COMMENT ON COLUMN idle.run_id IS 'The run';
COMMENT ON COLUMN idle.rank IS 'Process of a distributed execution; NULL: the only one';
COMMENT ON COLUMN idle.device IS 'Device ordinal';
COMMENT ON COLUMN idle.stream IS 'Gaps of this stream; NULL: gaps of the device, in which no stream ran anything';
COMMENT ON COLUMN idle.step IS 'Number of the step whose work ended the gap; NULL: all';
COMMENT ON COLUMN idle.cause IS 'host (launched after the previous work had ended); launched before that: kernel (gap below 5 us), launch (below 30 us), other; unknown (launch call not in the trace)';
COMMENT ON COLUMN idle.gaps IS 'Number of gaps';
COMMENT ON COLUMN idle.idle_ns IS 'Their sum, ns';
COMMENT ON COLUMN idle.launched_ns IS 'Part of idle_ns after the launch call of the work that ends the gap had begun; 0 if the launch is not in the trace, ns';
COMMENT ON COLUMN idle.longest_ns IS 'The longest gap, ns';
COMMENT ON COLUMN idle.after IS 'Name of the work before the longest gap';
COMMENT ON COLUMN idle.before IS 'Name of the work that ended the longest gap';
