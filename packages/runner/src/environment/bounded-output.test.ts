import fc from "fast-check";
import { expect, it } from "vitest";
import { BoundedOutput } from "./bounded-output.ts";

it("keeps both ends and counts the rest, however the bytes arrive", () => {
  fc.assert(
    fc.property(
      fc.nat(40),
      fc.array(fc.string({ unit: fc.constantFrom(..."abcdefg"), maxLength: 30 })),
      (limit, parts) => {
        const output = new BoundedOutput(limit);
        for (const part of parts) output.push(Buffer.from(part));
        const all = parts.join("");
        const dropped = Math.max(0, all.length - limit);
        expect(output.droppedBytes).toBe(dropped);
        const head = Math.ceil(limit / 2);
        const tail = all.slice(all.length - (limit - head));
        expect(output.text()).toBe(
          dropped === 0 ? all : `${all.slice(0, head)}\n[${dropped} bytes dropped]\n${limit > head ? tail : ""}`,
        );
      },
    ),
  );
});

it("does not tear a character apart when everything fits", () => {
  const output = new BoundedOutput(7);
  for (const byte of Buffer.from("aé€b")) output.push(Buffer.from([byte]));
  expect(output.text()).toBe("aé€b");
});
