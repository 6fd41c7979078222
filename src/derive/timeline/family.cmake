xsp_plugin_family(TimelineSpec timeline.h AllTimelines)
