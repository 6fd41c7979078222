CREATE TABLE device_time (
  run_id BIGINT NOT NULL, rank BIGINT, device BIGINT, step BIGINT, start_ns BIGINT NOT NULL,
  total_ns BIGINT NOT NULL, busy_ns BIGINT NOT NULL, idle_ns BIGINT NOT NULL,
  compute_ns BIGINT NOT NULL, communication_ns BIGINT NOT NULL, copy_ns BIGINT NOT NULL,
  compute_communication_ns BIGINT NOT NULL, exposed_communication_ns BIGINT NOT NULL,
  exposed_copy_ns BIGINT NOT NULL, spans BIGINT NOT NULL);
COMMENT ON TABLE device_time IS 'How each device spent its time; unions, so that concurrent work counts once';
COMMENT ON COLUMN device_time.run_id IS 'The run';
COMMENT ON COLUMN device_time.rank IS 'Process of a distributed execution; NULL: the only one';
COMMENT ON COLUMN device_time.device IS 'Device ordinal';
COMMENT ON COLUMN device_time.step IS 'Number of the step whose work it is; NULL: the whole run';
COMMENT ON COLUMN device_time.start_ns IS 'ns on the run''s clock: first start of its work';
COMMENT ON COLUMN device_time.total_ns IS 'ns: whole run: from the first start to the last end of work; step: from the start of its first work to that of a later step';
COMMENT ON COLUMN device_time.busy_ns IS 'ns in which anything ran';
COMMENT ON COLUMN device_time.idle_ns IS 'total_ns - busy_ns';
COMMENT ON COLUMN device_time.compute_ns IS 'ns in which a kernel that does not communicate ran';
COMMENT ON COLUMN device_time.communication_ns IS 'ns in which a communication kernel ran';
COMMENT ON COLUMN device_time.copy_ns IS 'ns in which a copy or set ran';
COMMENT ON COLUMN device_time.compute_communication_ns IS 'ns in which both a computing and a communication kernel ran';
COMMENT ON COLUMN device_time.exposed_communication_ns IS 'ns in which communication ran and nothing computed';
COMMENT ON COLUMN device_time.exposed_copy_ns IS 'ns in which a copy or set ran and nothing else';
COMMENT ON COLUMN device_time.spans IS 'Kernels, copies and sets that start in it';
