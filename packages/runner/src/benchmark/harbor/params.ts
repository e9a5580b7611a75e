import { z } from "zod";
import { COMMON_PARAMS } from "../params.ts";
import { archiveAddressProblem, isWithinTree, repositoryProblem } from "./repository.ts";

const NEEDED = "needed: a folder of Harbor tasks, or one task folder; or repository and commit";

export const HarborParams = z
  .strictObject({
    path: z
      .string({ error: NEEDED })
      .trim()
      .min(1, NEEDED)
      .optional()
      .describe(
        "A folder of task folders in the Harbor format, or one task folder; absolute or relative to the working directory.",
      ),
    repository: z
      .string()
      .trim()
      .optional()
      .describe(
        "In place of path: the git repository with the tasks, such as https://github.com/OWNER/NAME. It is fetched once as an archive into <data_dir>/harbor/OWNER/NAME/COMMIT; git is not needed.",
      ),
    commit: z
      .string()
      .trim()
      .toLowerCase()
      .optional()
      .describe("With repository: the commit to take, as 40 hexadecimal digits."),
    folder: z
      .string()
      .trim()
      .optional()
      .describe("With repository: the folder of the tasks inside of it. Default: its top folder."),
    archive: z
      .string()
      .trim()
      .optional()
      .describe(
        "With repository: where its archive (.tar.gz) is, with {commit} in the place of the commit. Needed for hosts other than GitHub and GitLab.",
      ),
    ...COMMON_PARAMS,
  })
  .superRefine((params, context) => {
    const found = problem(params);
    if (found) context.addIssue({ code: "custom", path: [found.field], message: found.message });
  });

type SourceFields = {
  readonly path?: string | undefined;
  readonly repository?: string | undefined;
  readonly commit?: string | undefined;
  readonly folder?: string | undefined;
  readonly archive?: string | undefined;
};

type Problem = { readonly field: keyof SourceFields; readonly message: string };

function problem(params: SourceFields): Problem | undefined {
  const { path, repository, commit, folder, archive } = params;
  if (repository === undefined) {
    const stray = (["commit", "folder", "archive"] as const).find((field) => params[field] !== undefined);
    if (stray) return { field: stray, message: "belongs to a repository, but benchmark.repository is not given" };
    return path === undefined ? { field: "path", message: NEEDED } : undefined;
  }
  if (path !== undefined)
    return {
      field: "path",
      message: "give either path or repository, not both; folder names a place in the repository",
    };
  const commitProblem = wrongCommit(commit);
  if (commitProblem) return { field: "commit", message: commitProblem };
  if (folder !== undefined && !isWithinTree(folder))
    return { field: "folder", message: `'${folder}' must be a relative path inside of the repository` };
  const repositoryFault = repositoryProblem(repository, archive !== undefined);
  if (repositoryFault) return { field: "repository", message: repositoryFault };
  const archiveFault = archive === undefined ? undefined : archiveAddressProblem(archive);
  return archiveFault ? { field: "archive", message: archiveFault } : undefined;
}

function wrongCommit(commit: string | undefined): string | undefined {
  if (commit !== undefined && /^[0-9a-f]{40}$/.test(commit)) return undefined;
  const found = commit === undefined ? "needed with repository" : `'${commit}' is no whole commit id`;
  return `${found}: give 40 hexadecimal digits; branches, tags and short ids are refused, since what they name may change and a score could not be had again`;
}
