"""Tells names that nobody defines, and imports that nobody uses, in the files that are named."""
import ast
import builtins
import sys

KNOWN = set(dir(builtins)) | {"__file__", "__name__"}


def bound_in(node):
    """Names that a statement or an argument defines, wherever it stands."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return [node.id]
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, ast.arg):
        return [node.arg]
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [(one.asname or one.name).split(".")[0] for one in node.names]
    if isinstance(node, ast.ExceptHandler) and node.name:
        return [node.name]
    return []


def problems_in(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    compile(text, path, "exec")
    nodes = list(ast.walk(ast.parse(text)))
    bound = {name for node in nodes for name in bound_in(node)}
    used = {node.id: node.lineno for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    for name, line in used.items():
        if name not in bound and name not in KNOWN:
            yield f"{path}:{line}: {name} is not defined"
    for node in nodes:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for name in bound_in(node):
                if name not in used:
                    yield f"{path}:{node.lineno}: {name} is imported and not used"


found = [problem for path in sys.argv[1:] for problem in problems_in(path)]
print("\n".join(found) or f"{len(sys.argv) - 1} Python files")
sys.exit(1 if found else 0)
