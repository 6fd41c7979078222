CREATE TABLE device_strip (
  run_id BIGINT NOT NULL, rank BIGINT, device BIGINT, stretch BIGINT NOT NULL, start_ns BIGINT NOT NULL,
  length_ns BIGINT NOT NULL, compute_ns BIGINT NOT NULL, communication_ns BIGINT NOT NULL,
  copy_ns BIGINT NOT NULL);
COMMENT ON TABLE device_strip IS 'Activity of each device over time, in equal segments that all devices of the run share; segments without activity have no row';
COMMENT ON COLUMN device_strip.run_id IS 'The run';
COMMENT ON COLUMN device_strip.rank IS 'Process of a distributed execution; NULL: the only one';
COMMENT ON COLUMN device_strip.device IS 'Device ordinal';
COMMENT ON COLUMN device_strip.stretch IS '0-based index of the segment';
COMMENT ON COLUMN device_strip.start_ns IS 'ns on the run''s clock';
COMMENT ON COLUMN device_strip.length_ns IS 'ns; the same for all segments';
COMMENT ON COLUMN device_strip.compute_ns IS 'ns in which it computed';
COMMENT ON COLUMN device_strip.communication_ns IS 'ns in which it communicated and did not compute';
COMMENT ON COLUMN device_strip.copy_ns IS 'ns in which it copied and did not compute or communicate';
