export { environmentDescriptors } from "./descriptors.ts";
export { exposureText, hostProcess } from "./host-process.ts";
