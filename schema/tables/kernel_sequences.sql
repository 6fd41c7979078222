CREATE TABLE kernel_sequence (
  run_id BIGINT NOT NULL, rank BIGINT, device BIGINT, sequence BIGINT NOT NULL, length BIGINT NOT NULL,
  kernels VARCHAR NOT NULL, occurrences BIGINT NOT NULL, duration_ns BIGINT NOT NULL,
  gap_ns BIGINT NOT NULL, operators VARCHAR);
COMMENT ON TABLE kernel_sequence IS 'Sequences of kernels that repeat on a stream (the 100 with the most time of each device)';
COMMENT ON COLUMN kernel_sequence.run_id IS 'The run';
COMMENT ON COLUMN kernel_sequence.rank IS 'Process of a distributed execution; NULL: the only one';
COMMENT ON COLUMN kernel_sequence.device IS 'Device ordinal';
COMMENT ON COLUMN kernel_sequence.sequence IS '0-based, for each device by decreasing time';
COMMENT ON COLUMN kernel_sequence.length IS 'Number of kernels, at most 32';
COMMENT ON COLUMN kernel_sequence.kernels IS 'JSON array of their names, in order';
COMMENT ON COLUMN kernel_sequence.occurrences IS 'Number of occurrences, without overlap';
COMMENT ON COLUMN kernel_sequence.duration_ns IS 'Sum of its kernels'' durations over all occurrences, ns';
COMMENT ON COLUMN kernel_sequence.gap_ns IS 'Sum of the gaps between its kernels, over all occurrences, ns';
COMMENT ON COLUMN kernel_sequence.operators IS 'JSON array: the innermost operator of each kernel of the first occurrence, null if it has none; NULL: none has one';
