CREATE TABLE collective (
  run_id BIGINT NOT NULL, rank BIGINT, device BIGINT, stream BIGINT, step BIGINT, operation VARCHAR NOT NULL,
  name VARCHAR NOT NULL, process_group VARCHAR, group_size BIGINT, dtype VARCHAR, bytes DOUBLE,
  instance BIGINT NOT NULL, start_ns BIGINT NOT NULL, duration_ns BIGINT NOT NULL,
  exposed_ns BIGINT NOT NULL, arrival_skew_ns BIGINT, transfer_ns BIGINT);
COMMENT ON TABLE collective IS 'Every communication kernel (the longest 100,000), with its partners on other ranks';
COMMENT ON COLUMN collective.run_id IS 'The run';
COMMENT ON COLUMN collective.rank IS 'Process of a distributed execution; NULL: the only one';
COMMENT ON COLUMN collective.device IS 'Device ordinal';
COMMENT ON COLUMN collective.stream IS 'Stream';
COMMENT ON COLUMN collective.step IS 'Number of the step that launched it; NULL: none';
COMMENT ON COLUMN collective.operation IS 'all_reduce, all_gather, reduce_scatter, all_to_all, broadcast, reduce, send_receive, barrier or other';
COMMENT ON COLUMN collective.name IS 'Kernel name';
COMMENT ON COLUMN collective.process_group IS 'Name of its process group; NULL: not known';
COMMENT ON COLUMN collective.group_size IS 'Ranks in that group; NULL: not known';
COMMENT ON COLUMN collective.dtype IS 'Data type of its elements; NULL: not known';
COMMENT ON COLUMN collective.bytes IS 'Size of the message as defined by nccl-tests (the larger of input and output of one rank), bytes; NULL: not known';
COMMENT ON COLUMN collective.instance IS '0-based position among those of the same device, operation and process group (without a group: stream number): one collective has one instance on every rank';
COMMENT ON COLUMN collective.start_ns IS 'ns on the run''s clock';
COMMENT ON COLUMN collective.duration_ns IS 'ns';
COMMENT ON COLUMN collective.exposed_ns IS 'Part of duration_ns in which nothing computed on the device, ns';
COMMENT ON COLUMN collective.arrival_skew_ns IS 'Latest start among the ranks - this start: how long it waited for the last to arrive, ns; NULL: no partner in the import';
COMMENT ON COLUMN collective.transfer_ns IS 'Shortest duration among the ranks: the time without waiting, ns; NULL: no partner in the import';
