CREATE TABLE launch (
  run_id BIGINT NOT NULL, rank BIGINT, device BIGINT, name VARCHAR NOT NULL, type VARCHAR NOT NULL,
  launches BIGINT NOT NULL, unlaunched BIGINT NOT NULL, short BIGINT NOT NULL, negative BIGINT NOT NULL,
  late BIGINT NOT NULL, late_ns BIGINT NOT NULL, brief BIGINT NOT NULL, brief_ns BIGINT NOT NULL,
  call_ns BIGINT NOT NULL, device_ns BIGINT NOT NULL, latency_mean_ns DOUBLE, latency_min_ns BIGINT,
  latency_p50_ns BIGINT, latency_p95_ns BIGINT, latency_max_ns BIGINT, queued_ns BIGINT NOT NULL,
  waited_ns BIGINT NOT NULL);
COMMENT ON TABLE launch IS 'From launch to execution, by kernel name; a call that launched several (a replayed graph) is divided evenly among them';
COMMENT ON COLUMN launch.run_id IS 'The run';
COMMENT ON COLUMN launch.rank IS 'Process of a distributed execution; NULL: the only one';
COMMENT ON COLUMN launch.device IS 'Device ordinal';
COMMENT ON COLUMN launch.name IS 'Kernel name; copies and sets as the file names them';
COMMENT ON COLUMN launch.type IS 'kernel, memcpy or memset';
COMMENT ON COLUMN launch.launches IS 'Executions whose launch call is in the trace';
COMMENT ON COLUMN launch.unlaunched IS 'Executions whose launch call is not';
COMMENT ON COLUMN launch.short IS 'Launched executions that took less time than their part of the launch call';
COMMENT ON COLUMN launch.negative IS 'Executions that start before their launch call (clocks disagree)';
COMMENT ON COLUMN launch.late IS 'Executions before which the device ran nothing, and whose launch call started within that gap: the device waited for the host';
COMMENT ON COLUMN launch.late_ns IS 'Sum of the gaps before these, ns';
COMMENT ON COLUMN launch.brief IS 'Executions below 10 us, launched or not';
COMMENT ON COLUMN launch.brief_ns IS 'Sum of their durations, ns';
COMMENT ON COLUMN launch.call_ns IS 'Sum of the executions'' parts of their launch calls, ns';
COMMENT ON COLUMN launch.device_ns IS 'Sum of the executions'' durations, ns';
COMMENT ON COLUMN launch.latency_mean_ns IS 'Launch latency: start of the execution - start of the launch call, mean, ns; NULL: no launch call in the trace';
COMMENT ON COLUMN launch.latency_min_ns IS 'ns; may be negative';
COMMENT ON COLUMN launch.latency_p50_ns IS 'Nearest-rank median, ns';
COMMENT ON COLUMN launch.latency_p95_ns IS 'Nearest-rank 95th percentile, ns';
COMMENT ON COLUMN launch.latency_max_ns IS 'ns';
COMMENT ON COLUMN launch.queued_ns IS 'Sum over executions of the time from the end of the launch call to the start during which the stream was busy with earlier work, ns';
COMMENT ON COLUMN launch.waited_ns IS 'As queued_ns, but while the stream was idle, ns';
