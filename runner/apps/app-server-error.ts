import { InfrastructureError } from '../infrastructure-error.ts'

/** The server of the apps is gone or does not answer: our affair, never the subject's. */
export class AppServerError extends InfrastructureError {}
