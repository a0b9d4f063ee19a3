"""The WebAssembly module of `common/browser`, within bounds of time and memory."""

from __future__ import annotations

import json
import threading
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sproutnet.problems import InvalidArgument, TooLarge, Unavailable, UnexpectedAnswer

if TYPE_CHECKING:
    import wasmtime

# wasmtime keeps one list of functions for the whole process.
_FUNCTIONS = threading.Lock()

# Addresses and lengths come as signed numbers.
_UNSIGNED = 0xFFFF_FFFF


class Module:
    """A loaded module. Threads may share it: it makes one call at a time.

    It remembers what it proved, until a call fails.
    """

    def __init__(self, file: Path, within: float | None, memory: int) -> None:
        try:
            import wasmtime
        except ModuleNotFoundError as error:
            raise Unavailable('wasmtime is missing: pip install "sproutnet[local]"') from error
        config = wasmtime.Config()
        config.epoch_interruption = True
        # The compiled module is kept in the user's folder of caches, if there is one.
        with suppress(wasmtime.WasmtimeError):
            config.cache = True
        # Not shared with other modules, because a new epoch ends all calls of an engine.
        self._engine = wasmtime.Engine(config)
        try:
            self._module = wasmtime.Module(self._engine, file.read_bytes())
        except wasmtime.WasmtimeError as error:
            raise Unavailable(f"{file} is no WebAssembly module") from error
        self._file = file
        # No thread can wait longer.
        self._within = None if within is None else min(within, threading.TIMEOUT_MAX)
        self._memory = memory
        self._lock = threading.Lock()
        self._instance: _Instance | None = self._new_instance()

    def call(self, task: str, content: bytes, *arguments: int) -> Any:
        """What a function of the module answers to this input.

        Raises `TooLarge` if it needs too much time or memory.
        """
        with self._lock:
            instance = self._instance or self._new_instance()
            # After a failure, the memory of an instance is in no certain state.
            self._instance = None
            told = self._run(instance, task, content, arguments)
            self._instance = instance
        return json.loads(told)

    def _new_instance(self) -> _Instance:
        return _Instance(self._engine, self._module, self._file, self._memory)

    def _run(self, instance: _Instance, task: str, content: bytes, arguments: tuple[int, ...]) -> bytearray:
        # In a thread of its own, so that this one can end the call, also if the user interrupts.
        answer: Future[bytearray] = Future()

        def work() -> None:
            try:
                answer.set_result(instance.call(task, content, arguments))
            except BaseException as error:
                answer.set_exception(error)

        instance.may_run_until_next_epoch()
        thread = threading.Thread(target=work, name="sproutnet-local")
        thread.start()
        try:
            return answer.result(self._within)
        except TimeoutError:
            raise TooLarge(f"it takes more than {self._within:g} s") from None
        finally:
            if not answer.done():
                self._engine.increment_epoch()
            thread.join()


class _Instance:
    """The module with a memory."""

    def __init__(self, engine: wasmtime.Engine, module: wasmtime.Module, file: Path, memory: int) -> None:
        import wasmtime

        # The functions below must not refer to this instance, or both would stay for ever.
        reasons: list[str] = []

        def failed(caller: wasmtime.Caller, address: int, length: int) -> None:
            reasons.append(_read(caller, _memory(caller["memory"]), address, length).decode(errors="replace"))

        self._reasons = reasons
        self._limit = memory
        self._store = wasmtime.Store(engine)
        self._store.set_limits(memory_size=memory)
        number, address = wasmtime.ValType.f64(), wasmtime.ValType.i32()
        try:
            with _FUNCTIONS:
                linker = wasmtime.Linker(engine)
                linker.define_func("page", "progress", wasmtime.FuncType([number, number], []), lambda *_: None)
                failure = wasmtime.FuncType([address, address], [])
                linker.define_func("page", "failed", failure, failed, access_caller=True)
                exports = linker.instantiate(self._store, module).exports(self._store)
            self._memory = _memory(exports["memory"])
            self._functions = {name: _function(exports[name]) for name in ("input", "output", "query", "moves", "check")}
        except (wasmtime.WasmtimeError, KeyError) as error:
            if "limits" in str(error):
                raise InvalidArgument(f"memory: {memory} bytes are too few for the module") from error
            raise Unavailable(f"{file} does not fit this version of the package") from error

    def may_run_until_next_epoch(self) -> None:
        """Lets calls run until the engine's epoch changes."""
        self._store.set_epoch_deadline(1)

    def call(self, task: str, content: bytes, arguments: tuple[int, ...]) -> bytearray:
        """The output of a function of the module."""
        import wasmtime

        try:
            address = self._functions["input"](self._store, len(content))
            self._memory.write(self._store, content, address & _UNSIGNED)
            length = self._functions[task](self._store, *arguments)
            return _read(self._store, self._memory, self._functions["output"](self._store), length)
        except wasmtime.Trap as trap:
            if self._reasons:
                raise UnexpectedAnswer(f"the module failed: {self._reasons[-1]}") from trap
            if trap.trap_code is wasmtime.TrapCode.STACK_OVERFLOW:
                raise TooLarge("it takes more than the stack") from trap
            # How the module ends if it gets no memory.
            if trap.trap_code is wasmtime.TrapCode.UNREACHABLE:
                raise TooLarge(f"it takes more memory than {self._limit} bytes") from trap
            raise UnexpectedAnswer(f"the module failed: {trap.message}") from trap


def _read(
    store: wasmtime.Store | wasmtime.Caller, memory: wasmtime.Memory, address: int, length: int
) -> bytearray:
    start = address & _UNSIGNED
    return memory.read(store, start, start + (length & _UNSIGNED))


def _memory(export: object) -> wasmtime.Memory:
    import wasmtime

    if not isinstance(export, wasmtime.Memory):
        raise KeyError("memory")
    return export


def _function(export: object) -> wasmtime.Func:
    import wasmtime

    if not isinstance(export, wasmtime.Func):
        raise KeyError("function")
    return export
