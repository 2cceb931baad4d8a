/** The `api` backend: a model behind an HTTP endpoint, without any tools and without a program. It sees the prompt only. */
import type { ProfileOf } from '../../../shared/contract/agents.ts'
import type { AgentContext, AgentRunner, RunnerDeps } from '../agent-runner.ts'
import { baseUrlOf, type Endpoint, probeEndpoint } from './endpoint.ts'

export function makeApiRunner(profile: ProfileOf<'api'>, _deps: RunnerDeps): AgentRunner {
  const { provider, keyName, headers = {} } = profile.options
  const url = baseUrlOf(profile.options)
  let knowsSchemas = true
  const endpoint = (env: AgentContext['env']): Endpoint | { missingKey: string } => {
    const key = keyName === undefined ? '' : env[keyName]
    return key === undefined ? { missingKey: keyName ?? '' } : { provider, url, key, headers }
  }
  return {
    backend: 'api',
    streams: true,
    async run(call, context) {
      const target = endpoint(context.env)
      if ('missingKey' in target) {
        const detail = `There is no secret ${target.missingKey} for the agent “${profile.name}”. Save it for this agent, then resume`
        return { kind: 'halt', reason: 'auth', detail }
      }
      const { runApiCall } = await import('./api-call.ts')
      const forgetSchemas = (): void => {
        knowsSchemas = false
      }
      return runApiCall(target, { ...call, model: call.model ?? profile.model }, context, { knowsSchemas, forgetSchemas })
    },
    async probe({ env, signal }) {
      const target = endpoint(env)
      if ('missingKey' in target) return { version: null, state: 'signed-out', detail: `There is no secret ${target.missingKey}` }
      return probeEndpoint(target, signal)
    },
  }
}
