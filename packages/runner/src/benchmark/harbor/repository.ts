/** A repository at one commit. */
export type PinnedSource = {
  readonly repository: string;
  readonly commit: string;
  /** Where the archive of the commit is fetched. */
  readonly archive: string;
  /** Parts of the repository's path, owner first. */
  readonly parts: readonly string[];
};

/** The path's parts are names of folders later, so that only plain ones are taken. */
const PART = /^(?!\.{1,2}$)[\w.-]{1,100}$/;
const GITLAB = /^gitlab\./;

/** What is wrong with the address of a repository; undefined when nothing is. */
export function repositoryProblem(repository: string, hasArchive: boolean): string | undefined {
  const example = "an address such as https://github.com/OWNER/NAME is needed";
  const url = parseUrl(repository);
  if (url?.protocol !== "https:") return `'${withoutLogin(repository)}' is no https address; ${example}`;
  if (hasLogin(url)) return `the address of ${url.host} must not hold a user name or password`;
  const parts = pathParts(url);
  if (url.search || url.hash || parts.length < 2 || !parts.every((part) => PART.test(part)))
    return `'${repository}' is no repository: ${example}, without a branch, a query or further parts`;
  if (url.host === "github.com" && parts.length > 2)
    return `'${repository}' leads into a repository: give https://github.com/${parts.slice(0, 2).join("/")}, and folder for a place in it`;
  if (hasArchive || url.host === "github.com" || GITLAB.test(url.host)) return undefined;
  return `where ${url.host} keeps archives is not known: give benchmark.archive too, such as https://${url.host}/OWNER/NAME/archive/{commit}.tar.gz`;
}

/** What is wrong with the address of an archive; undefined when nothing is. */
export function archiveAddressProblem(archive: string): string | undefined {
  if (!archive.includes("{commit}")) return "must hold {commit} where the commit stands, so that it names that commit";
  const url = parseUrl(archive.replaceAll("{commit}", "0".repeat(40)));
  if (!url) return `'${withoutLogin(archive)}' is no address`;
  if (hasLogin(url)) return `the address of ${url.host} must not hold a user name or password`;
  return isFetchable(url) ? undefined : `'${archive}' must be an https address (http only on this machine)`;
}

/** https, or http that does not leave this machine. */
export function isFetchable(url: URL): boolean {
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url));
}

export function isLoopback(url: URL): boolean {
  return url.hostname === "localhost" || url.hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(url.hostname);
}

/** The source that checked parameters name. */
export function pinnedSource(repository: string, commit: string, archive: string | undefined): PinnedSource {
  const url = new URL(repository);
  const parts = pathParts(url);
  const plain = `${url.origin}/${parts.join("/")}`;
  const template =
    archive ??
    (GITLAB.test(url.host)
      ? `${plain}/-/archive/{commit}/${parts.at(-1)}-{commit}.tar.gz`
      : `${plain}/archive/{commit}.tar.gz`);
  return { repository: plain, commit, archive: template.replaceAll("{commit}", commit), parts };
}

/** Whether a path of parts separated by `/` stays where it starts. */
export function isWithinTree(path: string): boolean {
  return !path.startsWith("/") && !path.includes("\0") && !path.split("/").includes("..");
}

function pathParts(url: URL): readonly string[] {
  const parts = url.pathname.split("/").filter((part) => part !== "");
  return parts.map((part, index) => (index === parts.length - 1 ? part.replace(/\.git$/, "") : part));
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function hasLogin(url: URL): boolean {
  return url.username !== "" || url.password !== "";
}

function withoutLogin(text: string): string {
  return text.replace(/\/\/[^/@]*@/, "//");
}
