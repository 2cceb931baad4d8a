/** An MCP host as others write one: the official client, and the built command as its server. */

import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { type CallToolResult, type Progress, ProgressNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { onTestFinished } from 'vitest'
import type { RunReport } from '../../main/mcp/run-report.ts'
import { CLI, TestProject } from '../support/reprise.ts'

export interface Answer {
  isError: boolean
  text: string
  code: string | undefined
  data: Record<string, unknown>
}

export class Host {
  readonly client = new Client({ name: 'test-host', version: '1.0.0' })
  readonly project: TestProject
  readonly transport: StdioClientTransport

  private constructor(project: TestProject, options: readonly string[]) {
    this.project = project
    this.transport = new StdioClientTransport({
      command: process.execPath,
      args: [CLI, 'mcp', '--project', project.folder, ...options],
      cwd: project.outside,
      env: { PATH: process.env['PATH'] ?? '', HOME: project.outside, REPRISE_HOME: join(project.outside, 'data') },
    })
  }

  /** A server of its own project, gone after the test. */
  static async start(options: readonly string[] = [], project = new TestProject()): Promise<Host> {
    const host = new Host(project, options)
    onTestFinished(async () => {
      await host.client.close()
      project.remove()
    })
    await host.client.connect(host.transport)
    return host
  }

  async call(name: string, input: Record<string, unknown> = {}, onprogress?: (progress: Progress) => void): Promise<Answer> {
    // Listened to as notifications: the client forgets a call's own listener when progress and answer come in one piece.
    if (onprogress) this.client.setNotificationHandler(ProgressNotificationSchema, ({ params }) => onprogress(params))
    const wantsProgress = onprogress ? { onprogress: () => undefined } : {}
    const result = (await this.client.callTool({ name, arguments: input }, undefined, wantsProgress)) as CallToolResult
    const fault = result._meta?.['reprise/error'] as { code: string } | undefined
    return {
      isError: result.isError === true,
      text: result.content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
      code: fault?.code,
      data: result.structuredContent ?? {},
    }
  }

  /** Starts a simulated run of a text and gives its id. */
  async run(script: string, more: Record<string, unknown> = {}): Promise<string> {
    const { isError, text, data } = await this.call('workflow_run', { script, agent: 'simulated', ...more })
    if (isError) throw new Error(text)
    return String(data['runId'])
  }

  async ended(run: string): Promise<RunReport> {
    return (await this.call('workflow_wait', { run })).data as RunReport
  }
}

export { TestProject }
