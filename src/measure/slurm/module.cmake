xsp_glue(xsp_slurm)
