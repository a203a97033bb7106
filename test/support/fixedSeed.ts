import fc from "fast-check";

/** Property tests draw the same cases in every run, so a failure can be reproduced anywhere. */
fc.configureGlobal({ seed: 20_260_115 });
