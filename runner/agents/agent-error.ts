/** Something about an agent that its caller can mend: told in one sentence, exit code 2. */
export class AgentError extends Error {}
