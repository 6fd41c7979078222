xsp_plugin_family(SamplerSpec sampler.h AllSamplers)
