/** Downloads a file without leaving the page. The server names it, unless a blob's URL is given its name. */
export function download(url: string, fileName = ""): void {
  Object.assign(document.createElement("a"), { href: url, download: fileName }).click();
}
