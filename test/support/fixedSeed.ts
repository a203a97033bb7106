import fc from "fast-check";

/** Property tests generate the same cases in every run, so that a failure can be reproduced. */
fc.configureGlobal({ seed: 20_260_115 });
