# ruff: noqa: E501  (a cell is one line of the table)
"""Cells that are run with and without ``%%shapecheck``. ``{line}`` is where the magic, or a comment, stands."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """One cell.

    Attributes
    ----------
    name
        Name of the test.
    cell
        The cell under check; the magic's line is put first unless it contains ``{line}``.
    before, after
        Cells that are run, unchecked, in the same shell.
    operations
        True if the cell computes with arrays, so that a check must have seen something.
    """

    name: str
    cell: str
    before: str = ""
    after: tuple[str, ...] = ()
    operations: bool = False


ARRAYS = "import numpy as np\na = np.arange(12.0).reshape(3, 4)\nb = np.ones(4)\nc = np.ones((3, 1))"
TENSORS = "import torch\nfrom torch import nn\nx = torch.arange(12.0).reshape(3, 4)\ny = torch.ones(4)"

VALUES = (
    Case("last_value", "1 + 1", after=("_", "__", "Out")),
    Case("last_value_none", "None", after=("_", "Out")),
    Case("suppressed_value", "1 + 1;", after=("_", "Out")),
    Case("suppressed_array", "a * b;", ARRAYS, ("_",), True),
    Case("assignment_only", "v = 3\nw = v", after=("v, w",)),
    Case("underscores", "_ + 1", "40 + 1", ("_", "__", "___", "_i", "_ii", "In")),
    Case("walrus", "(n := 10) + n", after=("n",)),
    Case("several_expressions", "1\n2\n3"),
    Case("string_value", "'text\\n'"),
    Case("docstring_only", "'''only a string'''"),
    Case("empty_body", ""),
    Case("comment_body", "# nothing here"),
    Case("blank_lines_below", "\n\nv = 1\n\n\nv"),
    Case("trailing_blank_lines", "5\n\n\n"),
    Case("indented_cell", "    v = 1\n    v", after=("v",)),
    Case("conditional_value", "if True:\n    7"),
    Case("delete_name", "del v\n'v' in globals()", "v = 1"),
    Case("future_import", "from __future__ import annotations\ndef f(x: Nowhere): return x\nf.__annotations__"),
    Case("unicode", "größe = 'ü→×'\nprint(größe)\ngröße"),
    Case("backslash_continuation", "v = 1 + \\\n    2\nv"),
    Case("triple_quoted_percent", "s = '''\n%%time\n%magic\n!cmd\n'''\ns"),
    Case("no_final_newline", "7"),
    Case("form_feed", "v = 1\x0c\nv"),
)

PRINTS = (
    Case("print", "print('one'); print('two', end='')"),
    Case("print_then_value", "print('out')\n'value'"),
    Case("both_streams", "import sys\nfor i in range(3):\n    print(i)\n    print(-i, file=sys.stderr)"),
    Case(
        "display_order",
        "from IPython.display import display, HTML\nprint('a')\ndisplay('b')\nprint('c')\ndisplay(HTML('<i>d</i>'))\n'e'",
    ),
    Case("display_id", "from IPython.display import display\nh = display('one', display_id='k')\nh.update('two')"),
    Case("display_raw", "from IPython.display import display\ndisplay({'text/plain': 't'}, raw=True)"),
    Case("displayhook", "import sys\nsys.displayhook(5)\n6", after=("_",)),
    Case("print_array", "print(a + b)\nprint(a @ b)\na", ARRAYS, operations=True),
    Case("print_tensor", "print(x + y)\nprint(x.mean(0))\nx", TENSORS, operations=True),
    Case("format_array", "f'{a.mean():.3f} {(a - b).sum()!r}'", ARRAYS, operations=True),
    Case("write_to_stdout", "import sys\nsys.stdout.write('abc')"),
    Case("redirected", "import io, contextlib\nwith contextlib.redirect_stdout(io.StringIO()) as s:\n    print('x')\ns.getvalue()"),
)  # fmt: skip

ERRORS = (
    Case("exception", "v = 1\n1 / 0\nv = 2", after=("v",)),
    Case("exception_in_function", "def f(n):\n    return 1 / n\n\ndef g(n):\n    return f(n) + 1\n\ng(0)"),
    Case("exception_from_another_cell", "f(0)", "def f(n):\n    return 1 / n"),
    Case("chained", "try:\n    {}['k']\nexcept KeyError as e:\n    raise ValueError('wrapped') from e"),
    Case("implicit_context", "try:\n    {}['k']\nexcept KeyError:\n    int('x')"),
    Case("suppressed_context", "try:\n    {}['k']\nexcept KeyError:\n    raise ValueError('alone') from None"),
    Case(
        "custom_exception",
        "class Custom(Exception):\n    def __str__(self):\n        return 'custom text'\n\nraise Custom(1, 2)",
    ),
    Case("exception_notes", "e = ValueError('v')\ne.add_note('a note')\nraise e"),
    Case("exception_group", "raise ExceptionGroup('g', [ValueError(1), KeyError('k')])"),
    Case("system_exit", "print('before')\nimport sys\nsys.exit(3)"),
    Case("system_exit_in_function", "def leave():\n    raise SystemExit('bye')\nleave()"),
    Case("keyboard_interrupt", "def f():\n    raise KeyboardInterrupt\nf()"),
    Case(
        "real_interrupt",
        "import os, signal, time\ndef wait():\n    os.kill(os.getpid(), signal.SIGINT)\n    time.sleep(5)\nwait()",
    ),
    Case("assertion", "v = [1, 2]\nassert v == [1], f'{v} is wrong'"),
    Case("name_error", "undefined_name"),
    Case("recursion", "def f(n):\n    return f(n + 1)\nimport sys\nsys.setrecursionlimit(200)\ntry:\n    f(0)\nexcept RecursionError as e:\n    text = str(e)\nfinally:\n    sys.setrecursionlimit(3000)\ntext"),
    Case("syntax_error", "v = 1\ndef f(:\n    pass", after=("'v' in globals()",)),
    Case("indentation_error", "if True:\nv = 1"),
    Case("unclosed_bracket", "f(1,\n  2"),
    Case("return_outside", "v = 1\nreturn v"),
    Case("await_misplaced", "def f():\n    await g()"),
    Case("traceback_module", "import traceback\ntry:\n    1 / 0\nexcept ZeroDivisionError:\n    print(traceback.format_exc().splitlines()[-1])\n    traceback.print_exc()"),
    Case("caught_array_error", "try:\n    a + np.ones(5)\nexcept ValueError as e:\n    seen = str(e), e.__context__, e.__traceback__.tb_next\nseen", ARRAYS, operations=True),
    Case("array_error", "v = 1\na + np.ones(5)", ARRAYS, ("v",), True),
    Case("array_error_in_function", "def f(p, q):\n    return p * q\n\ndef g(q):\n    return f(a, q)\n\ng(np.ones((2, 7)))", ARRAYS, operations=True),
    Case("array_error_in_place", "b += a", ARRAYS, ("b",), True),
    Case("array_error_out", "np.add(a, b, out=np.empty(4))", ARRAYS, operations=True),
    Case("array_error_assign", "a[0] = np.ones(7)", ARRAYS, ("a",), True),
    Case("array_error_matmul", "a @ a", ARRAYS, operations=True),
    Case("array_error_chained", "try:\n    a @ a\nexcept ValueError as e:\n    raise RuntimeError('later') from e", ARRAYS, operations=True),
    Case("array_error_where", "np.where(a > 1, a, np.ones(3))", ARRAYS, operations=True),
    Case("array_error_deep", "np.cov(a, np.ones((2, 9)))", ARRAYS, operations=True),
    Case("array_error_reduction", "a.sum(axis=5)", ARRAYS),
    Case("array_error_types", "a + object()", ARRAYS),
    Case("array_error_keyword", "np.add(a, b, nonsense=1)", ARRAYS),
    Case("tensor_error", "v = 1\nx + torch.ones(5)", TENSORS, ("v",), True),
    Case("tensor_error_matmul", "x @ x", TENSORS, operations=True),
    Case("tensor_error_linear", "net = nn.Sequential(nn.Linear(4, 2), nn.ReLU(), nn.Linear(3, 1))\nnet(x)", TENSORS, operations=True),
    Case("tensor_error_in_place", "y += x", TENSORS, ("y",), True),
    Case("tensor_error_view", "x.reshape(5, 5)", TENSORS),
    Case("tensor_error_loss", "nn.functional.cross_entropy(x, torch.zeros(7, dtype=torch.long))", TENSORS),
    Case("tensor_error_backward", "w = torch.ones(3)\n(w * 2).sum().backward()", TENSORS, operations=True),
    Case("tensor_error_argument", "torch.sum(x, dim=9)", TENSORS),
    Case("mixed_error", "x + 'text'", TENSORS),
)  # fmt: skip

MAGICS = (
    Case("line_magic", "%precision 3\n3.14159", after=("%precision",)),
    Case("line_magic_assigned", "v = %pwd\nisinstance(v, str)"),
    Case("shell_command", "!echo hello\n!echo wrong >&2\n'done'"),
    Case("shell_captured", "lines = !echo one; echo two\nlines"),
    Case("shell_variable", "v = 'xyz'\n!echo $v {v.upper()}"),
    Case("timeit", "%timeit -n1 -r1 1 + 1"),
    Case("timeit_arrays", "r = %timeit -n3 -r1 -q -o a + b\nr.loops, r.repeat", ARRAYS, operations=True),
    Case("time_line", "%time v = 5\nv"),
    Case("time_below", "%%time\nv = 5\nv * 2", after=("v", "_")),
    Case("time_below_blank", "\n%%time\nv = 5\nv * 2"),
    Case("time_below_error", "%%time\nv = 5\n\n1 / 0"),
    Case("time_below_arrays", "%%time\nz = a + b\nz.sum()", ARRAYS, ("z",), True),
    Case("time_below_array_error", "%%time\nv = 1\na + np.ones(7)", ARRAYS, operations=True),
    Case("capture_below", "%%capture out\nprint('inside')\n5", after=("out.stdout", "out.outputs", "_")),
    Case("timeit_below", "%%timeit -n2 -r1 v = 3\nv + 1"),
    Case("bash_below", "%%bash\necho from bash"),
    Case("writefile_below", "%%writefile /dev/null\ntext"),
    Case("time_above", "%%time\n{line}\nv = 4\nv + 1", after=("v", "_")),
    Case("time_above_arrays", "%%time\n{line}\nprint((a + b).sum())\n(a - b).mean()", ARRAYS, operations=True),
    Case("capture_above", "%%capture out\n{line}\nprint('inside')\n5", after=("out.stdout", "out.outputs")),
    Case("unknown_magic_below", "%%nosuchmagic\n1"),
    Case("unknown_line_magic", "v = 1\n%nosuchmagic"),
    Case("help", "len?"),
    Case("autocall_quit_name", "exit"),
    Case("prompts", ">>> v = 1\n>>> v + 1"),
    Case("leading_blank_lines", "\n\n{line}\nv = 1\n1 / 0"),
    Case("run_cell_inside", "r = get_ipython().run_cell('5 + 5')\nr.result", after=("_", "Out")),
    Case("run_failing_cell_inside", "r = get_ipython().run_cell('1/0')\ntype(r.error_in_exec)"),
    Case("run_line_magic", "get_ipython().run_line_magic('precision', '2')"),
    Case("system_magic", "%system echo s"),
    Case("reset_name", "%reset_selective -f ^v$\n'v' in globals()", "v = 1"),
)

ASYNC = (
    Case("await", "import asyncio\nawait asyncio.sleep(0.001, 'slept')"),
    Case("await_error", "import asyncio\nasync def f():\n    await asyncio.sleep(0)\n    1 / 0\nawait f()"),
    Case("async_for", "async def numbers():\n    for i in range(3):\n        yield i\n[i async for i in numbers()]"),
    Case("async_for_statement", "async def numbers():\n    for i in range(3):\n        yield i\nasync for i in numbers():\n    print(i)"),
    Case("async_with", "class C:\n    async def __aenter__(self):\n        return 'in'\n    async def __aexit__(self, *e):\n        print('out', e[0])\nasync with C() as v:\n    print(v)\nv"),
    Case("gather", "import asyncio\nasync def f(n):\n    await asyncio.sleep(0)\n    return a + n\nr = await asyncio.gather(f(1), f(2))\n[float(v.sum()) for v in r]", ARRAYS, operations=True),
    Case("await_array_error", "import asyncio\nasync def f():\n    await asyncio.sleep(0)\n    return a + np.ones(7)\nawait f()", ARRAYS, operations=True),
    Case("await_system_exit", "import asyncio\nawait asyncio.sleep(0)\nraise SystemExit(2)"),
    Case("asyncio_run", "import asyncio\nasync def f():\n    return 3\nasyncio.run(f())"),
)  # fmt: skip

LANGUAGE = (
    Case("name_mangling", "class A:\n    __secret = 5\n    def get(self):\n        return self.__secret\nA().get(), [n for n in vars(A) if 'secret' in n]"),
    Case("super", "class A:\n    def f(self):\n        return ['A']\nclass B(A):\n    def f(self):\n        return super().f() + ['B', __class__.__name__]\nB().f()"),
    Case("generator", "def g():\n    received = yield 1\n    print('got', received)\n    yield from (2, 3)\n    return 4\ni = g()\nnext(i), i.send('s'), list(i)"),
    Case("threads", "import threading\nresults = []\nt = [threading.Thread(target=results.append, args=(i,)) for i in range(4)]\n[q.start() for q in t]\n[q.join() for q in t]\nsorted(results), threading.active_count() > 0"),
    Case("thread_arrays", "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(4) as pool:\n    r = list(pool.map(lambda n: float((a + n).sum()), range(20)))\nr", ARRAYS, operations=True),
    Case("exec_and_eval", "exec('v = 3\\nprint(v)')\neval('v + 1')", after=("v",)),
    Case("exec_error", "exec('def f():\\n    return 1/0')\nf()"),
    Case("lambdas", "sorted([3, 1, 2], key=lambda n: -n)"),
    Case("decorators", "import functools\ndef twice(f):\n    @functools.wraps(f)\n    def inner(*args):\n        return f(f(*args))\n    return inner\n@twice\ndef inc(n):\n    return n + 1\ninc(1), inc.__name__"),
    Case("getframe", "import sys\ndef f():\n    frame = sys._getframe()\n    return frame.f_code.co_name, frame.f_lineno, frame.f_back.f_lineno, frame.f_back.f_code.co_name\nf()"),
    Case("getframe_depth", "import inspect\ndef f():\n    return [i.function for i in inspect.stack()]\nf()"),
    Case("inspect_source", "import inspect\ndef f(n):\n    # a comment\n    return n\nprint(inspect.getsource(f))\ninspect.getsourcelines(f)[1]"),
    Case("global_statement", "def f():\n    global v\n    v = 9\nf()\nv"),
    Case("nested_functions", "def outer():\n    n = 0\n    def inner():\n        nonlocal n\n        n += 1\n        return n\n    return inner\ni = outer()\ni(), i()"),
    Case("comprehension_scope", "n = 5\n[n for n in range(3)], n"),
    Case("match_statement", "match {'k': [1, 2]}:\n    case {'k': [p, *rest]}:\n        print(p, rest)"),
    Case("globals_locals", "globals() is locals(), __name__, sorted(k for k in globals() if k.startswith('sha'))"),
    Case("dataclass", "from dataclasses import dataclass\n@dataclass\nclass P:\n    v: int = 1\nP()"),
    Case("pickle_class", "import pickle\nclass P:\n    v = 1\npickle.loads(pickle.dumps(P())).v"),
    Case("metaclass", "class M(type):\n    def __repr__(cls):\n        return 'M!'\nclass A(metaclass=M): pass\nA"),
    Case("operators_on_objects", "class V:\n    __array_ufunc__ = None\n    def __radd__(self, other):\n        return 'radd'\na + V()", ARRAYS),
    Case("array_subclass", "class Sub(np.ndarray):\n    def __array_finalize__(self, obj):\n        self.tag = getattr(obj, 'tag', 'new')\ns = a.view(Sub)\ns.tag = 'mine'\nr = s + 1\ntype(r).__name__, r.tag", ARRAYS, operations=True),
    Case("array_ufunc_protocol", "class U:\n    def __array_ufunc__(self, f, method, *inputs, **kw):\n        return f.__name__, method, len(inputs), sorted(kw)\nnp.add(a, U()), np.add.reduce(U()), np.multiply(U(), 1, where=True)", ARRAYS),
    Case("torch_function_protocol", "class F:\n    @classmethod\n    def __torch_function__(cls, func, types, args=(), kwargs=None):\n        return func.__name__, [t.__name__ for t in types]\ntorch.add(x, F()), torch.mean(F())", TENSORS),
    Case("weakref_and_gc", "import weakref, gc\nz = a + b\nr = weakref.ref(z)\ndel z\ngc.collect()\nr() is None", ARRAYS, operations=True),
    Case("refcounts", "import sys\nz = a + b\nsys.getrefcount(z), sys.getrefcount(a)", ARRAYS, operations=True),
    Case("types_untouched", "isinstance(np.add, np.ufunc), type(np.add).__name__, type(a).__name__, type(x).__name__, np.add is np.add", ARRAYS + "\n" + TENSORS),
    Case("tracing", "import sys\nseen = []\ndef tracer(frame, event, arg):\n    seen.append((event, frame.f_code.co_name))\n    return None\nsys.settrace(tracer)\ndef f(): return 1\nf()\nsys.settrace(None)\nseen"),
)  # fmt: skip

WARNINGS = (
    Case("warning", "import warnings\nwarnings.warn('careful')"),
    Case("warning_stacklevel", "import warnings\ndef f():\n    warnings.warn('careful', stacklevel=2)\nf()\nf()"),
    Case("warning_once_per_line", "import warnings\nfor i in range(3):\n    warnings.warn('again')"),
    Case("warning_error", "import warnings\nwith warnings.catch_warnings():\n    warnings.simplefilter('error')\n    warnings.warn('raised')"),
    Case("warning_recorded", "import warnings\nwith warnings.catch_warnings(record=True) as w:\n    warnings.simplefilter('always')\n    np.ones(2) / np.zeros(2)\n    a - b\n[(str(m.message), m.category.__name__, m.lineno, m.filename.startswith('<ipython')) for m in w]", ARRAYS, operations=True),
    Case("array_warning", "v = np.ones(3) / np.zeros(3)\nv", ARRAYS, operations=True),
    Case("array_warning_twice", "for i in range(2):\n    np.log(np.zeros(2))\nnp.sqrt(-np.ones(2))", ARRAYS, operations=True),
    Case("array_warning_in_function", "def f(p):\n    return p / 0\nf(a)\nf(a)", ARRAYS, operations=True),
    Case("array_warning_error", "import warnings\nwith warnings.catch_warnings():\n    warnings.simplefilter('error')\n    a / 0", ARRAYS, operations=True),
    Case("array_warning_filtered", "import warnings\nwith warnings.catch_warnings():\n    warnings.filterwarnings('ignore', message='divide')\n    v = np.ones(2) / 0\nv", ARRAYS, operations=True),
    Case("errstate_raise", "with np.errstate(all='raise'):\n    np.ones(2) / 0", ARRAYS, operations=True),
    Case("mean_of_empty", "np.array([]).mean()", ARRAYS),
    Case("torch_warning", "nn.functional.mse_loss(torch.ones(3, 1), torch.ones(3))", TENSORS, operations=True),
    Case("deprecated", "import warnings\nwarnings.warn('old', DeprecationWarning)"),
)  # fmt: skip

ARRAY_CODE = (
    Case("random_python", "import random\nrandom.random(), random.sample(range(9), 3)"),
    Case("random_numpy", "np.random.rand(2, 2), np.random.default_rng(3).normal(size=3), np.random.permutation(5)", ARRAYS),
    Case("random_torch", "torch.rand(2), torch.randn(2, 2), torch.randperm(4), torch.bernoulli(torch.full((3,), 0.5))", TENSORS),
    Case("dropout", "nn.Dropout(0.5)(x)", TENSORS),
    Case("broadcasting", "c - b, a * c, (c - b).shape, a[:, None] - a[None]", ARRAYS, operations=True),
    Case("suspicious", "((c - np.ones(3)) ** 2).mean()", ARRAYS, operations=True),
    Case("in_place", "a += 1\na[0] = b\na[:, 1] *= 2\na", ARRAYS, operations=True),
    Case("out_and_where", "z = np.zeros((3, 4))\nnp.add(a, b, out=z, where=a > 5)\nz", ARRAYS, operations=True),
    Case("ufunc_methods", "np.add.reduce(a), np.add.accumulate(b), np.multiply.outer(b, b), np.add.at(a, 0, 1), a", ARRAYS, operations=True),
    Case("einsum_and_friends", "np.einsum('ij,j->i', a, b), np.tensordot(a, b, 1), np.dot(a, b), np.concatenate([a, a])", ARRAYS, operations=True),
    Case("identity_of_results", "z = a.T\nz.base is a, np.asarray(a) is a, (a.__iadd__(0)) is a", ARRAYS, operations=True),
    Case("linear_algebra", "np.linalg.solve(a[:, :3] + np.eye(3), np.ones(3)), np.linalg.norm(a, axis=1)", ARRAYS, operations=True),
    Case("gradient", "w = torch.ones(4, requires_grad=True)\nloss = ((x @ w) ** 2).mean()\nloss.backward()\nloss, w.grad, loss.grad_fn", TENSORS, operations=True),
    Case("training", "torch.manual_seed(0)\nnet = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))\nopt = torch.optim.Adam(net.parameters())\nfor _ in range(12):\n    opt.zero_grad()\n    loss = ((net(x).squeeze(-1) - torch.ones(3)) ** 2).mean()\n    loss.backward()\n    opt.step()\nfloat(loss), [p.sum().item() for p in net.parameters()]", TENSORS, operations=True),
    Case("higher_gradient", "w = torch.tensor(3.0, requires_grad=True)\ng, = torch.autograd.grad(w ** 3, w, create_graph=True)\ntorch.autograd.grad(g, w)", TENSORS, operations=True),
    Case("module_hooks", "net = nn.Linear(4, 2)\nnn.init.ones_(net.weight); nn.init.zeros_(net.bias)\nnet.register_forward_hook(lambda m, i, o: print('hook', tuple(o.shape)))\nnet(x)", TENSORS, operations=True),
    Case("no_grad", "w = torch.ones(4, requires_grad=True)\nwith torch.no_grad():\n    z = x * w\nz.requires_grad, (x * w).requires_grad, torch.is_grad_enabled()", TENSORS, operations=True),
    Case("vmap", "torch.vmap(lambda r: (r * y).sum())(x)", TENSORS, operations=True),
    Case("functional_grad", "torch.func.grad(lambda w: ((x @ w) ** 2).sum())(y)", TENSORS, operations=True),
    Case("numpy_and_torch", "z = torch.from_numpy(a) * 2\n(z + b).numpy().sum(), np.asarray(z).mean()", ARRAYS + "\n" + TENSORS, operations=True),
    Case("long_loop", "s = 0.0\nfor i in range(300):\n    s += float((a * i - b).sum())\ns", ARRAYS, operations=True),
    Case("pandas", "import pandas as pd\nd = pd.DataFrame({'p': [1.0, 2.0], 'q': [3.0, 4.0]})\nd['r'] = d.p + d.q\nd", ARRAYS),
    Case("pandas_error", "import pandas as pd\nd = pd.DataFrame({'p': [1.0, 2.0]})\nd['q'] = [1, 2, 3]", ARRAYS),
)  # fmt: skip

CASES = VALUES + PRINTS + ERRORS + MAGICS + ASYNC + LANGUAGE + WARNINGS + ARRAY_CODE
