CREATE TABLE stream (
  run_id BIGINT NOT NULL, rank BIGINT, device BIGINT, stream BIGINT, name VARCHAR NOT NULL,
  spans BIGINT NOT NULL, busy_ns BIGINT NOT NULL, alone_ns BIGINT NOT NULL, compute_ns BIGINT NOT NULL,
  communication_ns BIGINT NOT NULL, copy_ns BIGINT NOT NULL, start_ns BIGINT NOT NULL, end_ns BIGINT NOT NULL);
COMMENT ON TABLE stream IS 'Activity of each stream of a device';
COMMENT ON COLUMN stream.run_id IS 'The run';
COMMENT ON COLUMN stream.rank IS 'Process of a distributed execution; NULL: the only one';
COMMENT ON COLUMN stream.device IS 'Device ordinal';
COMMENT ON COLUMN stream.stream IS 'Stream or queue';
COMMENT ON COLUMN stream.name IS 'Name of its track';
COMMENT ON COLUMN stream.spans IS 'Kernels, copies and sets';
COMMENT ON COLUMN stream.busy_ns IS 'ns in which it ran anything';
COMMENT ON COLUMN stream.alone_ns IS 'Part of busy_ns in which no other stream of the device ran anything, ns';
COMMENT ON COLUMN stream.compute_ns IS 'Sum of its computing kernels'' durations, ns';
COMMENT ON COLUMN stream.communication_ns IS 'Sum of its communication kernels'' durations, ns';
COMMENT ON COLUMN stream.copy_ns IS 'Sum of its copies'' and sets'' durations, ns';
COMMENT ON COLUMN stream.start_ns IS 'First start, ns on the run''s clock';
COMMENT ON COLUMN stream.end_ns IS 'Last end, ns on the run''s clock';

CREATE TABLE concurrency (
  run_id BIGINT NOT NULL, rank BIGINT, device BIGINT, step BIGINT, streams BIGINT NOT NULL,
  duration_ns BIGINT NOT NULL);
COMMENT ON TABLE concurrency IS 'How long each number of streams of a device was busy at the same time';
COMMENT ON COLUMN concurrency.run_id IS 'The run';
COMMENT ON COLUMN concurrency.rank IS 'Process of a distributed execution; NULL: the only one';
COMMENT ON COLUMN concurrency.device IS 'Device ordinal';
COMMENT ON COLUMN concurrency.step IS 'Number of the step whose work it is; NULL: the whole run';
COMMENT ON COLUMN concurrency.streams IS 'Streams that are busy at the same time; 0: idle';
COMMENT ON COLUMN concurrency.duration_ns IS 'ns';
