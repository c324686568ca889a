import { InfrastructureError } from '../infrastructure-error.ts'

/** Something about the browser that its owner can mend: told in one sentence, exit code 2; within a run a void attempt. */
export class BrowserError extends InfrastructureError {}
