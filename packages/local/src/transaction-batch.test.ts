import { describe, expect, it } from "vitest";
import { TransactionBatch } from "./transaction-batch.ts";

function counted(): { batch: TransactionBatch; transactions: () => number } {
  let transactions = 0;
  const batch = new TransactionBatch((bodies) => {
    transactions += 1;
    return bodies();
  });
  return { batch, transactions: () => transactions };
}

describe("TransactionBatch", () => {
  it("runs what one turn asks for in one transaction, in order", async () => {
    const { batch, transactions } = counted();
    const order: number[] = [];
    const asks = [1, 2, 3].map((number) =>
      batch.add(() => {
        order.push(number);
        return number * 10;
      }),
    );
    expect(await Promise.all(asks)).toEqual([10, 20, 30]);
    expect(order).toEqual([1, 2, 3]);
    expect(transactions()).toBe(1);
    expect(await batch.add(() => "later")).toBe("later");
    expect(transactions()).toBe(2);
  });

  it("a body that throws fails alone; the others run again, each in a transaction of its own", async () => {
    const { batch, transactions } = counted();
    const outcomes = await Promise.allSettled([
      batch.add(() => "kept"),
      batch.add(() => {
        throw new Error("locked");
      }),
      batch.add(() => "kept too"),
    ]);
    expect(outcomes).toMatchObject([{ value: "kept" }, { reason: { message: "locked" } }, { value: "kept too" }]);
    expect(transactions()).toBe(4);
  });

  it("what waits can be run at once, before a database is closed", async () => {
    const { batch } = counted();
    let isDone = false;
    const ask = batch.add(() => {
      isDone = true;
    });
    batch.run();
    expect(isDone).toBe(true);
    await ask;
  });
});
