CREATE TABLE step (
  run_id BIGINT NOT NULL, rank BIGINT, step BIGINT NOT NULL, name VARCHAR NOT NULL, start_ns BIGINT NOT NULL,
  duration_ns BIGINT NOT NULL, busy_ns BIGINT, kernel_ns BIGINT NOT NULL, kernels BIGINT NOT NULL,
  launches BIGINT NOT NULL, copies BIGINT NOT NULL, synchronisation_ns BIGINT NOT NULL,
  operators BIGINT NOT NULL, is_slow BOOLEAN NOT NULL, changed VARCHAR, changed_ns BIGINT);
COMMENT ON TABLE step IS 'Steps, and the changes in the slow ones';
COMMENT ON COLUMN step.run_id IS 'The run';
COMMENT ON COLUMN step.rank IS 'Process of a distributed execution; NULL: the only one';
COMMENT ON COLUMN step.step IS 'Number of the step';
COMMENT ON COLUMN step.name IS 'As the file has it';
COMMENT ON COLUMN step.start_ns IS 'On the host, ns on the run''s clock';
COMMENT ON COLUMN step.duration_ns IS 'On the host, ns';
COMMENT ON COLUMN step.busy_ns IS 'Time in which a device of the rank ran work of the step (union over devices), ns; NULL: the run has no device';
COMMENT ON COLUMN step.kernel_ns IS 'Sum of its kernels'' durations, ns; on a CPU those of primitives and native kernels';
COMMENT ON COLUMN step.kernels IS 'Kernels that it launched';
COMMENT ON COLUMN step.launches IS 'Calls that launched kernels; a replayed graph counts once';
COMMENT ON COLUMN step.copies IS 'Copies and sets that it launched';
COMMENT ON COLUMN step.synchronisation_ns IS 'Time in calls that wait for a device and start in it, summed over threads, ns';
COMMENT ON COLUMN step.operators IS 'Operators that started in it, nested ones included';
COMMENT ON COLUMN step.is_slow IS 'More than 10 % and three median absolute deviations above the rank''s median';
COMMENT ON COLUMN step.changed IS 'For a slow step: the operator, call, range or kernel name whose self time grew most over the median of the rank''s steps; (outside of operators): the step''s own; NULL: not slow';
COMMENT ON COLUMN step.changed_ns IS 'The increase, ns';
