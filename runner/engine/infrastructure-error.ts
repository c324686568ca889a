/** The machine or something that stands on it failed, no subject and none of our code: the attempt is void for that. */
export class InfrastructureError extends Error {}
